// Keeps a live page current: listens to its tab, patches what changed, and posts forms.
// Without this script every page still works.
"use strict";

// How long to wait before the page is fetched again, at first and at the most.
const shortestPause = 1000;
const longestPause = 15000;

const page = {
  tab: "", revision: 0, address: "",
  source: null, refetching: null, retry: 0, pause: shortestPause,
  waiting: new Set(), saved: null,
};

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

// What a person did stays: an open <details>, and the marks of a form that is being sent or written.
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
  } else if (node.id === "notice") {
    // Only this script fills it, and what it says stays until a form is sent again.
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

const focusable = "a, button, input:not([type=hidden]), select, textarea, summary";

// What may have the focus in place of an element that goes, as ids: its like, its row, the rows beside
// that, and what folds them.
function near(element) {
  const row = element.parentElement?.closest("[id]");
  const rows = [row, row?.nextElementSibling, row?.previousElementSibling, row?.closest("details")];
  return [element, ...rows].map((place) => place?.id).filter((id) => id);
}

// Runs a change of the page; where it takes the focused element away, the focus stays near or goes to
// the content, never to the top of the page.
function keepingFocus(change) {
  const focused = document.activeElement;
  const ids = focused ? near(focused) : [];
  change();
  if (!focused || focused === document.body || focused.isConnected) return;
  const places = ids.map((id) => document.getElementById(id)).filter((place) => place);
  const inner = places.map((each) => each.matches(focusable) ? each : each.querySelector(focusable));
  (inner.find((each) => each) ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

// A page that is shown in another language from now on is patched below the document alone.
function followLanguage() {
  const words = document.getElementById("skip");
  if (!words || words.lang === document.documentElement.lang) return;
  document.documentElement.lang = words.lang;
  document.body.dataset.notSent = words.dataset.notSent;
}

// MARK: - Listening

function readPage(body) {
  page.tab = body.dataset.tab;
  page.revision = Number(body.dataset.revision);
  page.address = location.pathname + location.search;
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
  source.onopen = () => {
    page.pause = shortestPause;
    setConnected(true);
  };
  source.addEventListener("patch", (event) => {
    keepingFocus(() => apply(JSON.parse(event.data)));
    followLanguage();
    page.revision = Number(event.lastEventId);
    settle();
  });
  source.addEventListener("refetch", refetch);
  source.onerror = () => {
    setConnected(false);
    // A browser tries again by itself only after a connection that broke.
    if (source.readyState === EventSource.CLOSED) refetchLater();
  };
}

// Resolves when the page has what the device did in a tab, or after a while without it. A whole
// page that came meanwhile is a tab of its own, which gets by itself what it has not yet.
const caughtUp = (tab, revision) =>
  new Promise((resolve) => {
    const settleIfThere = () => {
      if (page.tab === tab && page.revision < revision) return;
      page.waiting.delete(settleIfThere);
      resolve(true);
    };
    page.waiting.add(settleIfThere);
    settleIfThere();
    setTimeout(() => page.waiting.delete(settleIfThere) && resolve(false), 3000);
  });

function settle() {
  for (const settleIfThere of page.waiting) settleIfThere();
}

// MARK: - Whole pages

// Fetches the page as it is now, once at a time.
function refetch() {
  disconnect();
  page.refetching ??= fetchPage().finally(() => (page.refetching = null));
  return page.refetching;
}

function refetchLater() {
  clearTimeout(page.retry);
  if (document.hidden) return;
  page.retry = setTimeout(refetch, page.pause);
  page.pause = Math.min(2 * page.pause, longestPause);
}

// Shows pages, and those that say why there is none. After any other answer what is shown stays,
// which is more than a page about a failure that passes. A draft stays in any case.
async function fetchPage() {
  const tab = page.tab;
  const draft = writtenForm();
  try {
    const signal = AbortSignal.timeout(10000);
    const response = draft
      ? await fetch(draft.getAttribute("action"), { method: "POST", body: draftOf(draft), signal })
      : await fetch(document.body.dataset.address || location.href, { signal });
    if (!response.ok && (draft || ![401, 403, 404].includes(response.status))) {
      throw new Error(`no page now: ${response.status}`);
    }
    // A form may have led to another page meanwhile.
    if (page.tab === tab) await show(response);
  } catch {
    setConnected(false);
    refetchLater();
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
  settle();
}

// MARK: - Drafts

// The form, if any, that holds what a person wrote and the device keeps no longer than the tab.
function writtenForm() {
  const isWritten = (form) =>
    form.dataset.written
    || [...form.elements].some((each) => each.matches("input, select, textarea") && isTouched(each));
  return [...document.querySelectorAll("form[data-draft]")]
    .find((form) => form !== page.saved && isWritten(form));
}

// A page that is fetched again comes back with the draft that was sent for it, as one draft: what is
// typed never gets between values that the device has stored since.
function draftOf(form) {
  form.dataset.written = "true";
  const body = new URLSearchParams(new FormData(form));
  body.append("action", form.dataset.draft);
  return body;
}

// What was saved is no draft any more, where the browser keeps the page and comes back to it.
function forgetSaved() {
  page.saved?.reset();
  delete page.saved?.dataset.written;
  page.saved = null;
}

// MARK: - Forms

function notice(text) {
  const element = document.getElementById("notice");
  if (element) element.textContent = text;
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "dismiss") return;
  notice("");
  // The button goes with the notice, and would take the focus along.
  document.getElementById("main")?.focus({ preventScroll: true });
});

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

// Says why a form was refused. A field with an error gets the focus, by which its error is read out;
// any other error goes to the notice, because a text that merely appears is not. An alert is read out by
// itself, and is repeated only where it is out of sight.
function tellWhy(form) {
  const again = form.isConnected ? form : document.getElementById(form.getAttribute("id"));
  const place = again ?? document;
  const field = place.querySelector("[aria-invalid=true]");
  if (field) return field.focus();
  const beside = place.querySelector(".error");
  const above = (again?.closest("[data-region]") ?? document).querySelector("[role=alert]")
    ?? document.querySelector("main [role=alert]");
  if (!beside && above && isInSight(above)) return;
  notice((beside ?? above?.querySelector("strong") ?? above)?.textContent || document.body.dataset.notSent);
  if (!beside) above?.scrollIntoView({ block: "center" });
}

// A field that came by what was sent, such as that of an added row, gets the focus.
function focusAdded(form, known) {
  const isNew = (field) => field.matches("input:not([type=hidden]), select, textarea")
    && field.id && !known.has(field.id);
  [...form.elements].find(isNew)?.focus();
}

async function answer(form, tab, response, known) {
  const next = response.headers.get("Offshore-Location");
  const revision = response.headers.get("Offshore-Revision");
  if (next) {
    page.saved = form;
    return location.assign(next);
  }
  if (revision) {
    const isThere = await caughtUp(tab, Number(revision));
    if (!isThere) await refetch();
    if (!response.ok) return tellWhy(form);
    // The page was made without a draft that did not come back, so what is typed stays.
    if (isThere || !form.dataset.draft) form.reset();
    focusAdded(form, known);
  } else if (response.redirected) {
    // The tab was gone, so the form was sent as without this script: it is done, and a page comes.
    form.reset();
    page.saved = form;
    if (!response.ok) return location.assign(response.url);
    if (response.url !== location.href) history.pushState(null, "", response.url);
    await show(response);
  } else if (response.ok || response.status === 422) {
    // The tab was gone, and nothing is done yet: the page comes back with a draft or with what is wrong.
    await show(response);
    if (!response.ok) return tellWhy(form);
    focusAdded(form, known);
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
    const tab = page.tab;
    const headers = { "Offshore-Tab": tab };
    const signal = AbortSignal.timeout(30000);
    const address = form.getAttribute("action");
    const known = new Set([...form.elements].map((field) => field.id));
    const response = await fetch(address, { method: "POST", body, headers, signal });
    await answer(form, tab, response, known);
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
  if (form.dataset.draft) form.dataset.written = "true";
  pending.add(key);
  last = last.then(() => send(form, body)).finally(() => pending.delete(key));
});

document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("beforeunload", (event) => writtenForm() && event.preventDefault());
addEventListener("pagehide", () => {
  disconnect();
  forgetSaved();
});
// The browser kept the page as it was when it was left; its tab may be gone or done with since.
addEventListener("pageshow", (event) => event.persisted && refetch());
// A place within the page is no other page.
addEventListener("popstate", () => {
  if (location.pathname + location.search !== page.address) location.reload();
});
readPage(document.body);
connect();
