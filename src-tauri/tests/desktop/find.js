// Finds one visible element: by the words on it (press), by the words beside it (field), or by a selector (visible).
const [how, words] = arguments;
// A choice among few is a label around a hidden radio button.
const PRESSED = "button, a[href], label:has(input[type=radio]), [role=button], [role=tab], [role=option], [role=menuitem]";
const visible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
const text = (element) => (element?.innerText ?? element?.textContent ?? "").replace(/\s+/g, " ").trim();

function nameOf(element) {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) return ids.split(" ").map((id) => text(document.getElementById(id))).join(" ");
  return element.getAttribute("aria-label") ?? text(element.labels?.[0] ?? element);
}

function best(elements) {
  // A dialog on top is where a person looks first, and the whole name is meant before a part of it.
  const dialog = [...document.querySelectorAll("[role=dialog], dialog[open]")].filter(visible).at(-1);
  const seen = elements.filter(visible).filter((element) => !element.disabled);
  const near = dialog ? seen.filter((element) => dialog.contains(element)) : [];
  for (const group of [near, seen]) {
    const named = group.map((element) => [element, nameOf(element)]);
    const hit = named.find(([, name]) => name === words) ?? named.find(([, name]) => name.startsWith(words));
    if (hit) return hit[0];
  }
  return null;
}

switch (how) {
  case "press":
    return best([...document.querySelectorAll(PRESSED)]);
  case "field":
    return best([...document.querySelectorAll("input, textarea, select, [role=combobox], [role=textbox]")]);
  default:
    return [...document.querySelectorAll(words)].find(visible) ?? null;
}
