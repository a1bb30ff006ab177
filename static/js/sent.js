// Back and Reload lead to a page by its address, and never ask to send a form again: a page that answered
// a form takes the place of one that was only asked for.
if ("sent" in document.documentElement.dataset) history.replaceState(history.state, "", location.href);

// A list that was being checked (kept.js) is nobody else’s: it goes when its reader signs out.
document.addEventListener("submit", ({ target }) => {
  if (target.getAttribute("action")?.endsWith("/logout/")) sessionStorage.removeItem("list being checked");
});
