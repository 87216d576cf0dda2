// Keeps a live page current: receives the changes of its tab, applies them, and fetches pages
// again.
// Every page works without the script, too.

const page = {
  tab: "", revision: 0, address: "",
  source: null, refetching: null, retry: 0, lostAt: 0,
  waiting: new Set(), reached: [], saved: null,
};

// MARK: - Access

// Returns the launch token of this device, and stores a new one if there is one. Only pages of this
// port can read it, while the cookie is sent to services at other ports, too.
function launchToken(next) {
  try {
    if (next) localStorage.token = next;
    return localStorage.token;
  } catch {
    // The browser stores nothing for this page, which works until the device restarts.
  }
}

// Whether this page explains that the browser has no cookie of the device.
const isLocked = () => document.querySelector("[data-locked]");

// Stores the token after the printed address was opened, and removes it from the address. A link of
// another site, which can have any token, leads to a refused page.
function storeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (!isLocked()) launchToken(token);
}

// Sends a request. A device that was restarted refuses the former cookie before it does anything
// else: the request is sent again with the token, and its response sets the next cookie.
async function request(address, options) {
  const response = await fetch(address, options);
  const token = response.headers.get("WWW-Authenticate") === "Offshore-Token" && launchToken();
  if (!token) return response;
  return fetch(address, { ...options, headers: { ...options?.headers, "Offshore-Token": token } });
}

// Loads a refused page again once the browser has the cookie.
async function unlock() {
  const address = location.pathname + location.search;
  const isOpen = async (send) => (await send(address)).status !== 401;
  if (await isOpen(request) && await isOpen(fetch)) location.replace(address);
}

// MARK: - Connection

function readPage(body) {
  page.tab = body.dataset.tab;
  page.revision = Number(body.dataset.revision);
  page.address = location.pathname + location.search;
}

function setConnected(isConnected) {
  const bar = document.getElementById("connection");
  if (bar) bar.hidden = isConnected;
  page.lostAt = isConnected ? 0 : page.lostAt || Date.now();
  if (isConnected) page.reached.splice(0).forEach((resolve) => resolve());
}

// Resolves when the app is reachable.
const inReach = () => new Promise((resolve) => (page.lostAt ? page.reached.push(resolve) : resolve()));

// Retries soon, and less often the longer the app is unreachable.
function lose(retry) {
  disconnect();
  setConnected(false);
  if (document.hidden) return;
  page.retry = setTimeout(retry, Math.min(Math.max(100, (Date.now() - page.lostAt) / 10), 15000));
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
    try {
      keepingPlace(() => keepingFocus(() => JSON.parse(event.data).forEach(apply)));
    } catch {
      // A change must not stay on the page in part.
      return refetch();
    }
    followLanguage();
    watchMore();
    page.revision = Number(event.lastEventId);
    settle();
    last.then(leaveGone);
  });
  source.addEventListener("refetch", refetch);
  // By itself a browser reconnects after seconds, and not at all after some errors.
  source.onerror = () => lose(source.readyState === EventSource.CLOSED ? refetch : connect);
}

// Resolves when the page shows the changes that the device made in a tab, or after a timeout. A
// whole page that arrived meanwhile has a tab of its own, which receives later changes by itself.
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
  tellPlace();
}

// MARK: - Whole pages

// Fetches the current page, one request at a time.
function refetch() {
  disconnect();
  page.refetching ??= fetchPage().finally(() => (page.refetching = null));
  return page.refetching;
}

// Shows pages, and responses that explain why there is no page. After any other response the
// current page stays, because it is more useful than a page about a temporary failure. A draft
// always stays.
async function fetchPage() {
  const tab = page.tab;
  remember();
  const draft = writtenForm();
  try {
    const signal = AbortSignal.timeout(10000);
    const response = draft
      ? await request(draft.getAttribute("action"), { method: "POST", body: draftOf(draft), signal })
      : await request(document.body.dataset.address || location.href, { signal });
    if (!response.ok && (draft || ![401, 403, 404].includes(response.status))) {
      throw new Error(`no page now: ${response.status}`);
    }
    // A form may have led to another page meanwhile.
    if (page.tab === tab) await show(response);
  } catch {
    lose(refetch);
  }
}

const scriptOf = (page) => page.querySelector("head script")?.getAttribute("src");

async function show(response) {
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!other.getElementById("main")) throw new Error(`no page: ${response.status}`);
  // Another version of the device's program needs its own version of this script.
  if (scriptOf(other) !== scriptOf(document) && !writtenForm()) return location.reload();
  document.documentElement.lang = other.documentElement.lang;
  document.title = other.title;
  keepingPlace(() => keepingFocus(() => morph(document.body, document.importNode(other.body, true))));
  readPage(document.body);
  watchMore();
  setConnected(true);
  connect();
  settle();
}

// Fetches the page that explains why the subject of this one was deleted. Typed text stays, and so
// does a page whose form leads to another one.
const leaveGone = () =>
  document.querySelector("[data-gone]") && !page.saved && !writtenForm() && refetch();

// MARK: - Loading more

// Loads more of a list when its end is nearly in view, and the content of a part that was opened.
const seen = new IntersectionObserver(
  (entries) => entries.forEach(({ isIntersecting, target }) => {
    if (isIntersecting) target.form ? target.form.requestSubmit(target) : target.requestSubmit();
  }),
  { rootMargin: "600px" });

function watchMore() {
  seen.disconnect();
  if (page.tab) document.querySelectorAll("[data-more]").forEach((each) => seen.observe(each));
  watchUnseen();
}

// Sets the address of the page to that of its content.
function moveTo(address) {
  history.replaceState(null, "", address);
  document.body.dataset.address = page.address = location.pathname + location.search;
}

// Shows the results of a search while its text is typed.
async function search(form) {
  const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  const number = (page.searches = (page.searches ?? 0) + 1);
  try {
    const response = await request(address, { signal: AbortSignal.timeout(10000) });
    // A later search has begun, or another page is shown.
    if (page.searches !== number || !form.isConnected) return;
    await show(response);
    moveTo(address);
  } catch {
    lose(() => (form.isConnected ? search(form) : connect()));
  }
}

document.addEventListener("input", ({ target }) => {
  if (target.type !== "search") return;
  clearTimeout(page.typing);
  page.typing = setTimeout(search, 150, target.form);
});

// MARK: - Visibility and navigation

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return disconnect();
  connect();
  watchUnseen();
});
addEventListener("beforeunload", (event) => {
  const isUnsent = page.lostAt && [...pending].some((key) => key.startsWith("form"));
  if (writtenForm() || isUnsent || refused.size) event.preventDefault();
});
addEventListener("pagehide", () => {
  disconnect();
  forgetSaved();
});
// The browser restored the page as it was left. Its tab may have been changed or closed since.
addEventListener("pageshow", (event) => event.persisted && refetch());
// A place within the page is not another page.
addEventListener("popstate", () => {
  if (location.pathname + location.search !== page.address) location.reload();
});

// MARK: - Copying and sharing

// A button that needs the script is shown if the script can perform its action.
document.documentElement.classList.add("scripted");
if (navigator.share) document.documentElement.classList.add("sharing");

function copyText(text, target) {
  const give = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", give);
  // Unlike the Clipboard API, this works in a frame and without https.
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", give);
  if (isDone) confirm(target);
  else notice(document.body.dataset.notSent);
}

document.addEventListener("click", ({ target }) => {
  const { copy, share } = target.dataset;
  if (copy) copyText(copy, target);
  if (!share) return;
  navigator.share({ text: share })
    .catch(({ name }) => name !== "AbortError" && copyText(share, target));
});

// The device learns from it that this browser reports the rows in view, also when a link opens a page.
document.cookie = "offshore-script=1; path=/; max-age=31536000; samesite=lax";
storeToken();
readPage(document.body);
startPlace();
watchMore();
connect();
if (isLocked() && launchToken()) unlock().catch(() => {});
