// Over plain http no worker brings the table's page back: it has to stay open while the network is away.
if (!("serviceWorker" in navigator)) {
  let isMovingOn = false; // by a press on the page itself, while the server answers

  const linkOf = (event) => event.target.closest("a[href]:not([href^='#'])");

  document.addEventListener("click", (event) => {
    if (!linkOf(event) || Line.isUp()) return;
    event.preventDefault();
    Strip.say("You need to be online for that. Keep this page open until then.");
  });

  window.addEventListener("submit", (event) => {
    isMovingOn = !event.defaultPrevented;
  });

  window.addEventListener("click", (event) => {
    if (linkOf(event)) isMovingOn = !event.defaultPrevented;
  });

  window.addEventListener("beforeunload", (event) => {
    if (Strip.net.hasAttribute("data-waiting") && !isMovingOn) event.preventDefault();
  });
}
