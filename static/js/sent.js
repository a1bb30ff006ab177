// Back and Reload lead to a page by its address, and never ask to send a form again: a page that answered
// a form takes the place of one that was only asked for.
if ("sent" in document.documentElement.dataset) history.replaceState(history.state, "", location.href);
