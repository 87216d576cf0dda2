// Keeps the place in a long list of which a window of rows is shown.

const rowList = () => document.querySelector("[data-rows]");
// The rows of a list, without headings between them.
const rowsOf = (list) => [...list.children].filter(({ id }) => id.startsWith(list.dataset.rows));
// The form that loads later rows. Without it, the rows reach the end of the list.
const laterOf = (list) => document.getElementById(`${list.id}-later`);

const root = document.documentElement;
const isAtEnd = (list) => !laterOf(list) && root.scrollHeight - innerHeight - scrollY < 40;
const toEnd = () => scrollTo({ top: root.scrollHeight, behavior: "instant" });

// The rows from the first visible one on, each with its place on the screen. A bar covers the upper
// edge.
function placesOf(list) {
  const places = rowsOf(list).map((row) => ({ id: row.id, ...row.getBoundingClientRect().toJSON() }));
  const visible = places.filter(({ bottom }) => bottom > 60);
  return visible.length ? visible : places.slice(-1);
}

// `opened` is the first visible row to which the address of the page leads; `follows` is whether the
// end of the list is in view.
let opened, follows, remembering;

// Scrolls to the place at which the device has opened the list.
function openPlace(list) {
  const { open, place } = list.dataset;
  const row = document.getElementById(open);
  if (row) row.scrollIntoView({ block: place.startsWith("around") ? "center" : "start", behavior: "instant" });
  else toEnd();
  opened = placesOf(list)[0]?.id;
  follows = isAtEnd(list);
}

// Reads out new rows, once. Rows before the first known one are older.
function tellNew(list, known) {
  const log = document.getElementById(`${list.id}-news`);
  const rows = rowsOf(list);
  const first = rows.findIndex(({ id }) => known.has(id)) + 1;
  for (const row of rows.slice(first).filter(({ id }) => !known.has(id))) {
    const text = row.dataset.said ?? row.innerText;
    if (text) log.append(Object.assign(document.createElement("p"), { textContent: text }));
  }
  while (log.childElementCount > 9) log.firstChild.remove();
}

// Runs a change of the page. The visible rows stay where they are, wherever others are added. At the
// end of the list, the page follows new rows.
function keepingPlace(change) {
  const list = rowList();
  if (!list) {
    change();
    return startPlace();
  }
  const { place } = list.dataset;
  const [wasAtEnd, reached, height] = [isAtEnd(list), !laterOf(list), root.scrollHeight];
  const known = new Set(rowsOf(list).map(({ id }) => id));
  const places = placesOf(list);
  // Otherwise the browser may correct the same change once more.
  root.style.overflowAnchor = "none";
  requestAnimationFrame(() => (root.style.overflowAnchor = ""));
  change();
  const now = rowList();
  if (!now) return;
  const kept = places.find(({ id }) => document.getElementById(id));
  const isSame = now.dataset.place === place;
  if (!isSame && !(kept && now.dataset.place.startsWith("near"))) openPlace(now);
  else if (wasAtEnd && !laterOf(now)) {
    if (root.scrollHeight !== height) toEnd();
  } else if (kept) {
    const { top } = document.getElementById(kept.id).getBoundingClientRect();
    if (top !== kept.top) scrollBy({ top: top - kept.top, behavior: "instant" });
  }
  follows = isAtEnd(now);
  if (isSame && reached) tellNew(now, known);
  watchSize(now);
}

// Pictures that load late, and a keyboard on the screen, must not hide the end.
const follow = () => follows && rowList() && toEnd();
const sizes = new ResizeObserver(follow);
let sized;

function watchSize(list) {
  if (list === sized) return;
  sizes.disconnect();
  sizes.observe(list);
  sized = list;
}

function startPlace() {
  const list = rowList();
  if (!list) return;
  history.scrollRestoration = "manual";
  openPlace(list);
  watchSize(list);
}

// Sets the address to one that leads to the first visible row, or else to those after it, or to the end, for a page
// that is loaded again.
function remember() {
  const list = rowList();
  const rows = list ? placesOf(list).slice(0, 3) : [];
  if (!rows.length || rows[0].id === opened) return;
  opened = rows[0].id;
  const url = new URL(location.href);
  for (const name of ["at", "near", "before", "after", "from"]) url.searchParams.delete(name);
  if (!isAtEnd(list)) {
    for (const { id } of rows) url.searchParams.append("near", id.slice(list.dataset.rows.length));
  }
  moveTo(url.pathname + url.search);
}

addEventListener("scroll", () => {
  const list = rowList();
  if (!list) return;
  follows = isAtEnd(list);
  clearTimeout(remembering);
  remembering = setTimeout(remember, 300);
}, { passive: true });
addEventListener("resize", follow);

// MARK: - Rows in view

// The rows that are in view and not reported yet, and those that were reported. A report that failed is repeated.
const inView = new Set();
const reported = new Set();
let reporting;

// A row was seen when half of it is in view, or when it fills half of the window. Bars cover its edges.
const unseen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting, intersectionRatio, intersectionRect, rootBounds } of entries) {
      const isSeen = intersectionRatio >= 0.5 || intersectionRect.height >= (rootBounds?.height ?? innerHeight) / 2;
      if (isIntersecting && isSeen && !reported.has(target.id)) inView.add(target.id);
    }
    if (document.hidden || !inView.size) return;
    clearTimeout(reporting);
    reporting = setTimeout(reportSeen, 150);
  },
  { rootMargin: "-60px 0px", threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] });

function watchUnseen() {
  unseen.disconnect();
  if (page.tab) document.querySelectorAll("[data-rows] > [data-unseen]").forEach((each) => unseen.observe(each));
}

// Posts the rows that are in view.
function reportSeen() {
  const [form, list] = [document.querySelector("[data-seen]"), rowList()];
  if (!form || !list || !inView.size) return;
  const rows = [...inView];
  const body = textsOf(new FormData(form));
  for (const id of rows) {
    reported.add(id);
    body.append("row", id.slice(list.dataset.rows.length));
  }
  inView.clear();
  // After a form that is being posted.
  last = last.then(() => store(form, body)).catch(() => {
    rows.forEach((id) => reported.delete(id));
    setTimeout(watchUnseen, 2000);
  });
}
