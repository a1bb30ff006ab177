// The menus of the masthead open without this; with it they close when someone goes elsewhere.
const menus = [...document.querySelectorAll("details.menu")];

document.addEventListener("click", (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const opened = menus.filter((menu) => menu.open);
  if (event.key !== "Escape" || !opened.length) return;
  for (const menu of opened) menu.open = false;
  opened[0].querySelector("summary").focus();
});

for (const menu of menus) {
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}
