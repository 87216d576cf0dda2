// Keeps a live page current: listens to its tab, patches what changed, and posts forms.
// Without this script every page still works.
"use strict";

const page = { tab: "", revision: 0, source: null, retry: 0, waiting: [] };

// MARK: - Morphing

// Whether a person changed a control since the device last set it.
function isTouched(control) {
  if (control.type === "checkbox" || control.type === "radio") {
    return control.checked !== control.defaultChecked;
  }
  if (control.localName !== "select") return control.value !== control.defaultValue;
  const preset = [...control.options].findIndex((option) => option.defaultSelected);
  return control.selectedIndex !== Math.max(0, preset);
}

// What a person did stays: an open <details>, and the mark of a form that is being sent.
const isKept = (element, name) =>
  (name === "open" && element.localName === "details")
  || (name === "aria-busy" && element.dataset.busy) || name === "data-busy";

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

// Setting `value` and `checked` makes a control follow its attributes no more, so both are set.
function morphControl(control, wanted) {
  const keeps = isTouched(control);
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

function morph(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
  } else if (node.matches("input, select, textarea")) {
    morphControl(node, wanted);
  } else {
    morphAttributes(node, wanted);
    morphChildren(node, wanted);
  }
}

const isAlike = (node, wanted) =>
  node.nodeName === wanted.nodeName && (node.id || "") === (wanted.id || "")
  && (node.localName !== "input" || (node.type === wanted.type && node.name === wanted.name));

// Elements with ids are found again wherever they are, others only in their place.
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
        // An element that is moved loses its focus, so the others move.
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

function apply({ op, target, html }) {
  const element = document.getElementById(target);
  if (!element) return;
  if (op === "remove") element.remove();
  else if (op === "append") element.append(fragment(html));
  else if (op === "prepend") element.prepend(fragment(html));
  else morph(element, fragment(html).firstElementChild);
}

// Runs a change of the page; where it takes the focused element away, the focus goes to its like or
// to the content, never to the top of the page.
function keepingFocus(change) {
  const focused = document.activeElement;
  const row = focused?.closest("[id]")?.id;
  change();
  if (!focused || focused === document.body || focused.isConnected) return;
  const again = document.getElementById(focused.id || row);
  const inner = again?.matches("a, button, input") ? again : again?.querySelector("a, button, input");
  (inner ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

// MARK: - Listening

function readPage(body) {
  page.tab = body.dataset.tab;
  page.revision = Number(body.dataset.revision);
}

function setConnected(isConnected) {
  const bar = document.getElementById("connection");
  if (bar) bar.hidden = isConnected;
}

function disconnect() {
  page.source?.close();
  page.source = null;
  clearTimeout(page.retry);
}

function connect() {
  disconnect();
  if (!page.tab || document.hidden) return;
  const source = new EventSource(`/live/${page.tab}?after=${page.revision}`);
  page.source = source;
  source.onopen = () => setConnected(true);
  source.addEventListener("patch", (event) => {
    keepingFocus(() => apply(JSON.parse(event.data)));
    page.revision = Number(event.lastEventId);
    page.waiting = page.waiting.filter((wait) => !wait());
  });
  source.addEventListener("refetch", () => {
    disconnect();
    refetch();
  });
  source.onerror = () => {
    setConnected(false);
    // A browser tries again by itself only after a connection that broke.
    if (source.readyState === EventSource.CLOSED) page.retry = setTimeout(refetch, 2000);
  };
}

// Resolves when the page has what the device did, or after a while without it.
const caughtUp = (revision) =>
  new Promise((resolve) => {
    const isThere = () => page.revision >= revision && (resolve(true), true);
    if (isThere()) return;
    page.waiting.push(isThere);
    setTimeout(() => resolve(false), 3000);
  });

// MARK: - Whole pages

async function refetch() {
  try {
    await show(await fetch(document.body.dataset.address || location.href));
  } catch {
    setConnected(false);
    page.retry = setTimeout(refetch, 2000);
  }
}

async function show(response) {
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!other.getElementById("main")) throw new Error(`no page: ${response.status}`);
  document.documentElement.lang = other.documentElement.lang;
  document.title = other.title;
  keepingFocus(() => morph(document.body, document.importNode(other.body, true)));
  readPage(document.body);
  setConnected(true);
  connect();
}

// MARK: - Forms

function notice(text) {
  const element = document.getElementById("notice");
  if (element) element.textContent = text;
}

function focusFirstError(form) {
  form.querySelector("[aria-invalid=true]")?.focus();
}

async function answer(form, response) {
  const next = response.headers.get("Offshore-Location");
  const revision = response.headers.get("Offshore-Revision");
  if (next) return location.assign(next);
  if (revision) {
    if (!(await caughtUp(Number(revision)))) await refetch();
    if (response.ok) form.reset();
    else focusFirstError(form);
  } else if (response.redirected && response.ok) {
    // The tab was gone, so a new page comes back.
    form.reset();
    if (response.url !== location.href) history.pushState(null, "", response.url);
    await show(response);
  } else if (response.status === 422) {
    await show(response);
    focusFirstError(document);
  } else {
    const isSaid = response.headers.get("Content-Type")?.startsWith("text/plain");
    notice((isSaid && (await response.text())) || document.body.dataset.notSent);
  }
}

async function send(form, body) {
  const busy = form.closest("[data-region]") ?? form;
  busy.dataset.busy = Number(busy.dataset.busy ?? 0) + 1;
  busy.setAttribute("aria-busy", "true");
  notice("");
  try {
    const headers = { "Offshore-Tab": page.tab };
    const signal = AbortSignal.timeout(30000);
    const address = form.getAttribute("action");
    await answer(form, await fetch(address, { method: "POST", body, headers, signal }));
  } catch {
    notice(document.body.dataset.notSent);
  } finally {
    busy.dataset.busy -= 1;
    if (busy.dataset.busy === "0") {
      delete busy.dataset.busy;
      busy.removeAttribute("aria-busy");
    }
  }
}

// Forms go one after the other, in the order in which they were sent.
let last = Promise.resolve();
const pending = new Set();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || !page.tab) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  // Pressed twice before anything changed, it is asked for once.
  const key = `${form.getAttribute("action")} ${body}`;
  if (pending.has(key)) return;
  pending.add(key);
  last = last.then(() => send(form, body)).finally(() => pending.delete(key));
});

document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pagehide", disconnect);
addEventListener("pageshow", (event) => event.persisted && connect());
addEventListener("popstate", () => location.reload());
readPage(document.body);
connect();
