// A page that is kept on paper: the button opens the browser's own print window.
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
