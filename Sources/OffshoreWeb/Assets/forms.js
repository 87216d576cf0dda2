// Posts forms, says what came of it, and keeps what was written and is not saved.

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
  // What is chosen in a part above the page closes it.
  event.target.closest("[popover] :is(a, [type=submit])")?.closest("[popover]").hidePopover();
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
  const field = place.querySelector("[aria-invalid=true], [data-invalid]");
  if (field) return field.focus();
  const beside = place.querySelector(".error");
  const above = (again?.closest("[data-region]") ?? document).querySelector("[role=alert]")
    ?? document.querySelector("main [role=alert]");
  if (!beside && above && isInSight(above)) return;
  notice((beside ?? above?.querySelector("strong") ?? above)?.textContent || document.body.dataset.notSent);
  if (!beside) above?.scrollIntoView({ block: "center" });
}

// Confirms success, and folds the part of the page that has the form.
function confirm(form) {
  const text = form.dataset.done;
  if (!text) return;
  notice(text);
  setTimeout(() => document.getElementById("notice")?.textContent === text && notice(""), 4000);
  const part = form.closest("details");
  if (!part) return;
  part.open = false;
  part.querySelector("summary").focus({ preventScroll: true });
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
    // A draft came back with what was sent, and what was typed since stays over that.
    if (!form.dataset.draft) form.reset();
    focusAdded(form, known);
    confirm(form);
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

// Posts a form. If the app is out of reach, the form waits for it; one that may have arrived is sent again if
// sending it twice does the same as sending it once.
async function post(form, body) {
  const address = form.getAttribute("action");
  for (;;) {
    await inReach();
    const tab = page.tab;
    const headers = { "Offshore-Tab": tab };
    try {
      const signal = AbortSignal.timeout(30000);
      return { tab, response: await fetch(address, { method: "POST", body, headers, signal }) };
    } catch (error) {
      if ("once" in form.dataset || error.name === "TimeoutError") throw error;
      lose(connect);
    }
  }
}

async function send(form, body) {
  const busy = form.closest("[data-region]") ?? form;
  busy.dataset.busy = Number(busy.dataset.busy ?? 0) + 1;
  busy.setAttribute("aria-busy", "true");
  notice("");
  try {
    const known = new Set([...form.elements].map((field) => field.id));
    const longer = "more" in form.dataset && form.querySelector("a").getAttribute("href");
    const { tab, response } = await post(form, body);
    await answer(form, tab, response, known);
    // A list that has become longer is as long when it is loaded again.
    if (longer && response.ok) moveTo(longer.split("#")[0]);
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
