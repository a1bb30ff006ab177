// The organiser’s form of a hand keeps what is typed, as a table’s phone does.
const entry = document.querySelector("form[data-entry]");
if (entry) Draft.begin(entry);
