// Stores text that is being written in a form on the device, so that it survives the browser.

// The forms with text that is not stored yet, each with its timer.
const unkept = new Map();

function keepSoon(form, delay = 400) {
  clearTimeout(unkept.get(form));
  unkept.set(form, setTimeout(() => {
    if (page.lostAt) return keepSoon(form);
    // After a form that is being posted, which may save the text.
    last = last.then(() => keep(form));
  }, delay));
}

function forgetText(form) {
  clearTimeout(unkept.get(form));
  unkept.delete(form);
  refused.delete(form);
}

// Posts values in the background. Throws if the device has not stored them: without an answer, and after any but
// 2xx and a redirect.
async function store(form, body, keepalive = false) {
  const signal = AbortSignal.timeout(10000);
  const headers = { "Offshore-Tab": page.tab };
  const options = { method: "POST", body, headers, signal, keepalive, redirect: "manual" };
  const response = await request(form.getAttribute("action"), options);
  if (!response.ok && response.type !== "opaqueredirect") throw new Error(`not stored: ${response.status}`);
}

// The forms whose text the device has not stored although it was asked to.
const refused = new Set();

async function keep(form) {
  const timer = unkept.get(form);
  if (!timer) return;
  const body = textsOf(new FormData(form));
  body.set("action", form.dataset.keep);
  try {
    // A request that outlives the page is limited to 64 KiB.
    await store(form, body, `${body}`.length < 60000);
    refused.delete(form);
    // Text that was typed meanwhile has another timer.
    if (unkept.get(form) === timer) unkept.delete(form);
  } catch {
    if (unkept.get(form) !== timer) return;
    refused.add(form);
    keepSoon(form, 2000);
  }
}

// Empties a form that was sent. Text that was typed meanwhile stays.
function empty(form, body) {
  const fields = form.dataset.keep ? [...form.querySelectorAll("textarea")] : [];
  const typed = fields.map((field) => field.value);
  form.reset();
  fields.forEach((field, index) => {
    const sent = body.get(field.name)?.replaceAll("\r\n", "\n") ?? "";
    const text = typed[index];
    if (text !== sent) field.value = text.startsWith(sent) ? text.slice(sent.length) : text;
  });
}

// Stores text that is left in a form after it was posted, because it was refused or typed meanwhile.
function keepRest(form) {
  const isEmpty = [...form.querySelectorAll("textarea")].every(({ value }) => !value);
  if (form.dataset.keep && form !== page.saved && !isEmpty) keepSoon(form);
}

document.addEventListener("input", ({ target }) => target.form?.dataset.keep && keepSoon(target.form));
document.addEventListener("visibilitychange", () => document.hidden && [...unkept.keys()].forEach(keep));
addEventListener("pagehide", () => [...unkept.keys()].forEach(keep));
