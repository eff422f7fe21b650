// Small helpers for elements.

export const $ = (id) => document.getElementById(id);

/** An element with attributes and children; texts are texts, never markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

/** Makes the children of `parent` those of `wanted`, moving as few as possible. */
export function arrange(parent, wanted) {
  let at = parent.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Fills a select; keeps what was chosen where it is still there. */
export function fill(select, options, chosen = select.value) {
  const same = select.options.length === options.length
    && options.every(([value, text], i) => select.options[i].value === value && select.options[i].text === text);
  if (!same) select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

export const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** One finding: what is wrong, where, what was expected, how to mend it. */
export function finding(note) {
  return make("li", { class: `finding ${note.severity}` },
    make("p", { class: "message" }, make("strong", {}, note.severity), ` ${note.message} `, make("code", { class: "code" }, note.code)),
    note.place && make("p", { class: "place" }, place(note.place)),
    note.expected && make("p", {}, `expected ${note.expected}`),
    note.help && make("p", { class: "help" }, note.help));
}

/** file:line:column, to be copied with a click and pasted into an editor. */
function place(text) {
  const button = make("button", { class: "copy", title: "Copy this place", "aria-label": `Copy ${text}` }, text);
  button.addEventListener("click", async (event) => {
    event.stopPropagation();
    try {
      await navigator.clipboard.writeText(text);
      button.dataset.copied = "copied";
      setTimeout(() => delete button.dataset.copied, 1200);
    } catch {
      getSelection().selectAllChildren(button);
    }
  });
  return button;
}
