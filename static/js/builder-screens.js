// On a phone at the table: the tiles, then the sets, then the last tile, a screen for each. Without
// this script, and on a wide page, all of them are on one page.
const SCREENS = ["tiles", "sets", "ending"];
const built = document.querySelector("[data-built=table]");

built.prepend(built.querySelector("template[data-screens]").content.cloneNode(true));
built.dataset.screen = history.state?.screen ?? "tiles";

built.addEventListener("click", ({ target }) => {
  if (target.closest("[data-screen-back]")) history.back();
  if (!target.closest("[data-screen-next]")) return;
  history.pushState({ ...history.state, screen: SCREENS[SCREENS.indexOf(built.dataset.screen) + 1] }, "");
  attend(history.state.screen);
});
addEventListener("popstate", ({ state }) => attend(state?.screen ?? "tiles"));

function attend(screen) {
  built.dataset.screen = screen;
  scrollTo({ top: 0, behavior: "instant" });
  built.querySelector(`[data-title="${screen}"]`).focus({ preventScroll: true });
}
