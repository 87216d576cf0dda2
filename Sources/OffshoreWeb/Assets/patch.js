// Changes markup in place, and preserves the user's input.
// The script of all pages consists of this file, forms.js, kept.js, places.js and live.js, in this order.
"use strict";

// MARK: - Morphing

// Whether the user changed a control since the device last set it.
function isTouched(control) {
  if (control.type === "checkbox" || control.type === "radio") {
    return control.checked !== control.defaultChecked;
  }
  if (control.localName !== "select") return control.value !== control.defaultValue;
  const preset = [...control.options].findIndex((option) => option.defaultSelected);
  return control.selectedIndex !== Math.max(0, preset);
}

// Attributes with the user's state: an open <details>, and the marks of a form being sent or edited.
const isKept = (element, name) =>
  (name === "open" && element.localName === "details")
  || (name === "aria-busy" && element.dataset.busy) || name === "data-busy"
  || name === "data-written";

function morphAttributes(element, wanted) {
  for (const { name } of [...element.attributes]) {
    if (!wanted.hasAttribute(name) && !isKept(element, name)) {
      element.removeAttribute(name);
    }
  }
  for (const { name, value } of wanted.attributes) {
    if (!isKept(element, name) && element.getAttribute(name) !== value) {
      element.setAttribute(name, value);
    }
  }
}

// After `value` or `checked` was set, a control ignores its attributes, so both are set.
function morphControl(control, wanted) {
  const isWriting = control === document.activeElement && unkept.has(control.form);
  const keeps = isWriting || isTouched(control);
  const typed = control.value;
  morphAttributes(control, wanted);
  if (control.localName === "textarea") control.defaultValue = wanted.defaultValue;
  if (control.localName === "select") {
    morphChildren(control, wanted);
    control.value = keeps ? typed : wanted.value;
    if (control.selectedIndex < 0) control.value = wanted.value;
  } else if (control.type === "checkbox" || control.type === "radio") {
    if (!keeps) control.checked = wanted.checked;
  } else if (control.type !== "hidden") {
    const value = keeps ? typed : wanted.value;
    if (control.value !== value) control.value = value;
  }
}

// The button of a part that loads its content when it is opened.
const loader = (part) => part.querySelector(":scope > [data-more]");
const isLoaded = (part) => part.querySelector(":scope > :not(summary, [data-more])");

function morph(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
  } else if (node.id === "notice") {
    // Only this script fills it, and its text stays until a form is sent again.
  } else if (node.matches("input, select, textarea")) {
    morphControl(node, wanted);
  } else if (node.localName === "details" && loader(wanted) && isLoaded(node)) {
    // Content that was loaded for a closed tab, and may have typed text, stays until it is loaded
    // again.
    morph(node.querySelector("summary"), wanted.querySelector("summary"));
    if (!loader(node)) node.append(loader(wanted));
  } else {
    morphAttributes(node, wanted);
    morphChildren(node, wanted);
  }
}

const isAlike = (node, wanted) =>
  node.nodeName === wanted.nodeName && (node.id || "") === (wanted.id || "")
  && (node.localName !== "input" || (node.type === wanted.type && node.name === wanted.name));

// Elements with ids are matched at any place, others only at the same place.
function morphChildren(parent, wanted) {
  const known = new Map([...parent.children].filter((child) => child.id).map((c) => [c.id, c]));
  let place = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    let match = next.id ? known.get(next.id) : place;
    known.delete(next.id);
    if (match && !isAlike(match, next)) match = null;
    if (!match) {
      parent.insertBefore(next, place);
      continue;
    }
    if (match !== place) {
      if (match.contains(document.activeElement)) {
        // A moved element loses its focus, so the others move.
        while (place !== match) {
          const moved = place;
          place = place.nextSibling;
          parent.append(moved);
        }
      } else {
        parent.insertBefore(match, place);
      }
    }
    if (match === place) place = place.nextSibling;
    morph(match, next);
  }
  while (place) {
    const left = place;
    place = place.nextSibling;
    left.remove();
  }
}

// MARK: - Patches

function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return document.importNode(template.content, true);
}

// Highlights a row that changed without an action of the user.
function flash(element) {
  if (pending.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element?.closest(".item, .card > *")
    ?.animate({ backgroundColor: ["var(--accent-soft)", "transparent"] }, 1200);
}

function apply({ op, target, html }) {
  const element = document.getElementById(target);
  if (!element) return;
  if (op === "remove") return element.remove();
  const content = fragment(html);
  // A row that was dragged here exists already.
  if (op !== "morph") for (const { id } of content.children) document.getElementById(id)?.remove();
  if (op === "append") element.append(content);
  else if (op === "prepend") element.prepend(content);
  else if (op === "before") element.before(content);
  else morph(element, content.firstElementChild);
  const changed = { append: "lastElementChild", prepend: "firstElementChild", before: "previousElementSibling" }[op];
  flash(changed ? element[changed] : element);
}

const focusable = "a, button, input:not([type=hidden]), select, textarea, summary";

// The siblings of an element in one direction, nearest first.
function beside(element, way) {
  const found = [];
  for (let each = element?.[way]; each; each = each[way]) found.push(each);
  return found;
}

// The ids of the elements that may receive the focus of a removed element: its replacement, its
// row, the rows after and before that, and the <details> around it.
function near(element) {
  const row = element.closest(".entry") ?? element.parentElement?.closest("[id]");
  const rows = [row, ...beside(row, "nextElementSibling"), ...beside(row, "previousElementSibling")];
  return [element, ...rows, row?.closest("details")].map((place) => place?.id).filter((id) => id);
}

// Runs a change of the page. If it removes the focused element, an element nearby or the content
// receives the focus, never the top of the page.
function keepingFocus(change) {
  const focused = document.activeElement;
  const ids = focused ? near(focused) : [];
  change();
  if (!focused || focused === document.body || focused.isConnected) return;
  const places = ids.map((id) => document.getElementById(id)).filter((place) => place);
  const inner = places.map((each) => each.matches(focusable) ? each : each.querySelector(focusable));
  (inner.find((each) => each) ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

// Patches do not reach the document element, so this sets its language if that of the page changed.
function followLanguage() {
  const words = document.getElementById("skip");
  if (!words || words.lang === document.documentElement.lang) return;
  document.documentElement.lang = words.lang;
  document.body.dataset.notSent = words.dataset.notSent;
}
