// Show what is typed into a password field, and hide it again before it is sent.
for (const button of document.querySelectorAll(".password__show")) {
  const input = document.getElementById(button.getAttribute("aria-controls"));
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
    button.firstChild.data = isShown ? "Hide" : "Show";
  };
  button.hidden = false;
  button.addEventListener("click", () => show(input.type === "password"));
  input.form.addEventListener("submit", () => show(false));
}
