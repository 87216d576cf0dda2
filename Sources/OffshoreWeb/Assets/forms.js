// Posts forms, reports the results, and preserves unsaved text.

// MARK: - Drafts

// The texts of a form, without its files.
const textsOf = (data) =>
  new URLSearchParams([...data].filter(([, value]) => typeof value === "string"));

// The form with text that the user typed and that would be lost with the tab, if there is one.
function writtenForm() {
  const isWritten = (form) =>
    form.dataset.written
    || [...form.elements].some((each) => each.matches("input, select, textarea") && isTouched(each));
  return [...document.querySelectorAll("form[data-draft]")]
    .find((form) => form !== page.saved && isWritten(form));
}

// A page that is fetched again includes the draft that was posted for it. So typed text is never
// mixed with values that the device has stored since.
function draftOf(form) {
  form.dataset.written = "true";
  const body = textsOf(new FormData(form));
  body.append("action", form.dataset.draft);
  return body;
}

// A saved form is not a draft any more if the browser restores the page later.
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
  // A choice in a popover closes it.
  event.target.closest("[popover] :is(a, [type=submit])")?.closest("[popover]").hidePopover();
  if (event.target.matches("[data-move]")) moving = placeOf(event.target.closest(".entry"));
  if (event.target.id !== "dismiss") return;
  notice("");
  // The button disappears with the notice, and the focus would be lost.
  document.getElementById("main")?.focus({ preventScroll: true });
});

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

// Reports why a form was refused. A field with an error receives the focus, so that its error is
// read out. Any other error is copied to the notice, because a text that only appears is not read
// out. An alert is read out by itself, and is repeated only if it is out of view.
function tellWhy(form) {
  const again = form.isConnected ? form : document.getElementById(form.getAttribute("id"));
  const place = again ?? document;
  place.querySelectorAll("[data-open]").forEach((each) => (each.open = true));
  const field = place.querySelector("[aria-invalid=true], [data-invalid]");
  if (field) return field.focus();
  const beside = place.querySelector(".error");
  const above = (again?.closest("[data-region]") ?? document).querySelector("[role=alert]")
    ?? document.querySelector("main [role=alert]");
  if (!beside && above && isInSight(above)) return;
  notice((beside ?? above?.querySelector("strong") ?? above)?.textContent || document.body.dataset.notSent);
  if (!beside) above?.scrollIntoView({ block: "center" });
}

// Shows a text for a moment.
function pass(text) {
  notice(text);
  setTimeout(() => document.getElementById("notice")?.textContent === text && notice(""), 4000);
}

// Confirms success, and collapses the part of the page with the form.
function confirm(form) {
  const text = form.dataset.done;
  if (!text) return;
  pass(text);
  const part = form.closest("details");
  if (!part) return;
  part.open = false;
  part.querySelector("summary").focus({ preventScroll: true });
}

// Focuses a field that the response has added, such as that of a new row.
function focusAdded(form, known) {
  const isNew = (field) => field.matches("input:not([type=hidden]), select, textarea")
    && field.id && !known.has(field.id);
  const field = [...form.elements].find(isNew);
  field?.focus();
  // Text that was typed after the Enter key belongs to the new row.
  const { line, text } = (field && sent) || {};
  if (line?.value.startsWith(text)) {
    field.value = line.value.slice(text.length);
    line.value = text;
  }
}

// Focuses the field to which the form leads, such as that of an answer.
function focusNext({ dataset }) {
  if (dataset.focus) document.getElementById(dataset.focus)?.focus();
}

async function answer(form, body, tab, response, known) {
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
    // A draft already has the posted values, and text that was typed since is preserved.
    if (!form.dataset.draft) empty(form, body);
    // What was written is at the end of the list.
    if (form.dataset.keep && rowList()) toEnd();
    focusAdded(form, known);
    confirm(form);
    focusNext(form);
  } else if (response.redirected) {
    // The tab was closed, so the form was posted as without this script: the action is complete,
    // and a page follows.
    empty(form, body);
    page.saved = form;
    if (!response.ok) return location.assign(response.url);
    if (response.url !== location.href) history.pushState(null, "", response.url);
    await show(response);
    focusNext(form);
  } else if (response.ok || response.status === 422) {
    // The tab was closed, and nothing is stored yet: the response is the page with a draft or with
    // errors.
    await show(response);
    if (!response.ok) return tellWhy(form);
    focusAdded(form, known);
    focusNext(form);
  } else {
    const isSaid = response.headers.get("Content-Type")?.startsWith("text/plain");
    notice((isSaid && (await response.text())) || document.body.dataset.notSent);
  }
}

// Says beside their field that files are larger than the app accepts. Nothing is sent then, and all stays as it is.
function refuseLarge(form) {
  const isLarge = ({ files, dataset }) =>
    [...files].reduce((sum, { size }) => sum + size, 0) > Number(dataset.limit);
  const fields = [...form.querySelectorAll("[data-limit]")].filter(isLarge);
  for (const field of fields) {
    const id = `${field.id}-error`;
    const error = document.getElementById(id) ?? document.createElement("p");
    Object.assign(error, { id, className: "error", textContent: field.dataset.tooLarge });
    field.parentElement.append(error);
    field.setAttribute("aria-invalid", "true");
    const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((other) => other && other !== id);
    field.setAttribute("aria-describedby", [id, ...others].join(" "));
  }
  if (!fields.length) return false;
  const part = fields[0].closest("details");
  if (part) part.open = true;
  fields[0].focus();
  return true;
}

// Whether a file was changed or deleted since it was chosen, so that the browser cannot send it.
async function isStale(body) {
  try {
    for (const value of body.values()) if (value.size) await value.slice(0, 1).arrayBuffer();
    return false;
  } catch {
    return true;
  }
}

// Posts a form. If the app is unreachable, it waits. A request that may have arrived is posted
// again if posting it twice has the same result as once.
async function post(form, body) {
  const address = form.getAttribute("action");
  for (;;) {
    await inReach();
    const tab = page.tab;
    const headers = { "Offshore-Tab": tab };
    try {
      const signal = AbortSignal.timeout(body instanceof FormData ? 900000 : 30000);
      return { tab, response: await request(address, { method: "POST", body, headers, signal }) };
    } catch (error) {
      if ("once" in form.dataset || error.name === "TimeoutError" || await isStale(body)) throw error;
      lose(connect);
    }
  }
}

async function send(form, body, isMore) {
  const busy = form.closest("[data-region]") ?? form;
  busy.dataset.busy = Number(busy.dataset.busy ?? 0) + 1;
  busy.setAttribute("aria-busy", "true");
  if (!isMore) notice("");
  sent = entered?.action === body.get("action") ? entered : null;
  try {
    const known = new Set([...form.elements].map((field) => field.id));
    const longer = form.dataset.more === "" && form.querySelector("a").getAttribute("href");
    const { tab, response } = await post(form, body);
    await answer(form, body, tab, response, known);
    // A list that became longer has the same length when it is loaded again.
    if (longer && response.ok) moveTo(longer.split("#")[0]);
  } catch {
    notice(document.body.dataset.notSent);
  } finally {
    if (sent && entered === sent) entered = null;
    sent = null;
    keepRest(form);
    busy.dataset.busy -= 1;
    if (busy.dataset.busy === "0") {
      delete busy.dataset.busy;
      busy.removeAttribute("aria-busy");
    }
  }
}

// Forms are posted one after the other, in the order in which they were submitted.
let last = Promise.resolve();
const pending = new Set();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || !page.tab) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const texts = textsOf(data);
  // The files of a draft are sent when it is saved, and remain chosen until then.
  const isUpload = form.getAttribute("enctype") && texts.get("action") !== form.dataset.draft;
  if (isUpload && refuseLarge(form)) return;
  const files = [...data.values()].map((each) => [each.name, each.size, each.lastModified]);
  // The request loads more of a page, and changes nothing.
  const isMore = [form, event.submitter].some((each) => each && "more" in each.dataset);
  // The same request is posted once while it is pending.
  const key = `${isMore ? "more" : "form"} ${form.getAttribute("action")} ${texts} ${files}`;
  if (pending.has(key)) return;
  if (form.dataset.draft) form.dataset.written = "true";
  forgetText(form);
  pending.add(key);
  last = last.then(() => send(form, isUpload ? data : texts, isMore))
    .finally(() => pending.delete(key));
});

// MARK: - Rows

// The row that is being moved: the end of its id, and its former place.
let moving;
// `entered` is the line in which the Enter key was pressed, with its text and the form's action;
// `sent` is the same for the form that is being posted.
let entered, sent;
let mending;

const placeOf = (row) => ({
  id: row.id.split(".").pop(), list: row.parentElement.id,
  number: [...row.parentElement.children].indexOf(row) + 1,
});

// Submits a form with an action, like a button with that action.
function ask(form, action) {
  const button = form.querySelector(".by-enter");
  const usual = button.value;
  button.value = action;
  form.requestSubmit(button);
  button.value = usual;
}

// Reports the new place of a moved row. The button that moved it may be removed by now.
function tellPlace() {
  const row = moving && document.querySelector(`.entry[id$="${moving.id}"]`);
  const { list, number } = row ? placeOf(row) : {};
  if (!row || (list === moving.list && number === moving.number)) return;
  moving = null;
  if (!row.contains(document.activeElement)) row.querySelector(".handle").focus();
  const { children, dataset } = row.parentElement;
  pass(dataset.moved.replace("{n}", number).replace("{m}", children.length));
}

// Posts the new order. The names in a row begin with that of its list.
function drop(row, from, before) {
  const list = row.parentElement;
  for (const element of list === from ? [] : [row, ...row.querySelectorAll("*")]) {
    for (const each of element.attributes) {
      each.value = each.value.replaceAll(from.id.slice(5), list.id.slice(5));
    }
  }
  moving = before;
  const form = row.closest("form");
  if (form) return ask(form, form.dataset.draft);
  const place = row.querySelector("[name=place]");
  place.value = [...list.children].indexOf(row);
  place.form.requestSubmit(place.form.querySelector("button"));
}

document.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  const row = handle.closest(".entry");
  const [list, next, before] = [row.parentElement, row.nextElementSibling, placeOf(row)];
  const lists = `[data-kind="${list.dataset.kind}"]`;
  const dragging = new AbortController();
  const listen = (type, listener) => document.addEventListener(type, listener, { signal: dragging.signal });
  row.classList.add("dragged");
  listen("pointermove", ({ clientY, pointerId }) => {
    if (pointerId !== event.pointerId) return;
    scrollBy(0, clientY < 100 ? -12 : clientY > innerHeight - 160 ? 12 : 0);
    const at = document.elementFromPoint(event.clientX, clientY);
    const over = at?.closest(`${lists} > .entry`);
    if (!over) return at?.closest(lists)?.append(row);
    const { top, height } = over.getBoundingClientRect();
    if (over !== row) over[clientY < top + height / 2 ? "before" : "after"](row);
  });
  const end = ({ type, pointerId }) => {
    if (pointerId !== event.pointerId) return;
    dragging.abort();
    row.classList.remove("dragged");
    if (type !== "pointerup") list.insertBefore(row, next?.parentElement === list ? next : null);
    handle.focus();
    if (row.parentElement !== list || row.nextElementSibling !== next) drop(row, list, before);
  };
  listen("pointerup", end);
  listen("pointercancel", end);
});

// In a line of a row, Enter goes to the next line or adds a row, and Backspace removes an empty
// row.
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const row = target.closest(".entry");
  if (!row || event.isComposing) return;
  const lines = (row) => [...row.querySelectorAll(".fields :is([type=text], [rows='1'])")];
  const before = row.previousElementSibling;
  if (target.matches(".handle")) {
    const way = /^Arrow(Up|Down)$/.exec(key)?.[1].toLowerCase();
    if (!way) return;
    row.querySelector(`:scope > .more [data-move=${way}]`)?.click();
  } else if (key === "Enter" && lines(row).includes(target)) {
    const next = lines(row)[lines(row).indexOf(target) + 1];
    if (next) next.focus();
    else {
      entered = { line: target, text: target.value, action: `add:${row.id.slice(4)}` };
      ask(target.form, entered.action);
    }
  } else if (key === "Backspace" && before && lines(row).includes(target)
    && [...row.querySelectorAll("textarea, [type=text]")].every((each) => !each.value)) {
    const field = lines(before).pop();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    ask(target.form, `remove:${row.id.slice(4)}`);
  } else return;
  event.preventDefault();
});

document.addEventListener("input", ({ target }) => {
  // A title is one line, even if several are pasted.
  if (target.matches("[rows='1']") && target.value.includes("\n")) {
    target.value = target.value.replace(/\s*\n\s*/g, " ");
  }
  const form = target.closest("form[data-draft]");
  // A corrected value is not an error any more.
  if (!form?.querySelector("[aria-invalid], [data-invalid]")) return;
  clearTimeout(mending);
  mending = setTimeout(ask, 200, form, form.dataset.draft);
});
