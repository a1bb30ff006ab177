// Back and Reload lead to a page by its address, and never ask to send a form again: a page that answered
// a form takes the place of one that was only asked for.
if ("sent" in document.documentElement.dataset) history.replaceState(history.state, "", location.href);

// A list that was being checked and typed words (kept.js) are nobody else’s: they go when their reader signs out.
document.addEventListener("submit", ({ target }) => {
  if (!target.getAttribute("action")?.endsWith("/logout/")) return;
  for (const place of ["list being checked", "typed words"]) sessionStorage.removeItem(place);
});
