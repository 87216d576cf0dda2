// Walks the days of calendar tables by keys. Without this script, each day is a link like any other.
"use strict";

// The id of the day with the focus, or that had it last, by table.
const dayOfTable = new Map();
const dayLinks = (table) => [...table.querySelectorAll("[data-day]")];

// Returns a day as text, moved by days and months. A month without the day has a last one.
function movedDay(day, days, months) {
  const [year, month, date] = day.split("-").map(Number);
  const at = (month, date) => {
    const moved = new Date(0);
    moved.setUTCFullYear(year, month, date);
    return moved;
  };
  const last = at(month + months, 0).getUTCDate();
  return at(month - 1 + months, Math.min(date, last) + days).toISOString().slice(0, 10);
}

// One day of each table is in the order of the Tab key, with the links and buttons in its cell.
function rove() {
  for (const table of document.querySelectorAll("[data-days]")) {
    const links = dayLinks(table);
    const current = links.find(({ id }) => id === dayOfTable.get(table.dataset.days))
      ?? links.find((link) => link.matches("[aria-current]"))
      ?? links.find((link) => !link.closest(".outside")) ?? links[0];
    for (const cell of table.querySelectorAll("td")) {
      const order = cell.contains(current) ? null : "-1";
      for (const each of cell.querySelectorAll(focusable)) {
        if (each.getAttribute("tabindex") === order) continue;
        if (order) each.setAttribute("tabindex", order);
        else each.removeAttribute("tabindex");
      }
    }
  }
}

// Focuses a day of the table, or goes to the page with it.
function goToDay(table, from, to, isOtherPage) {
  const name = table.dataset.days;
  const link = !isOtherPage && document.getElementById(`${name}-${to}`);
  if (link) return link.focus();
  const page = document.getElementById(`${name}-${to < from ? "previous" : "next"}`);
  if (page) location.assign(`${page.href.split("#")[0]}#${name}-${to}`);
}

const daySteps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const pageSteps = { PageUp: -1, PageDown: 1 };

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const day = target.dataset?.day;
  const table = day && target.closest("[data-days]");
  if (!table || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = dayLinks(target.closest("tr"));
  if (key === "Home") row[0].focus();
  else if (key === "End") row.pop().focus();
  else if (key in daySteps) goToDay(table, day, movedDay(day, daySteps[key], 0), false);
  else if (key in pageSteps) {
    const step = pageSteps[key];
    const isWeek = table.dataset.page === "week";
    goToDay(table, day, isWeek ? movedDay(day, 7 * step, 0) : movedDay(day, 0, step), true);
  } else return;
  event.preventDefault();
});

document.addEventListener("focusin", ({ target }) => {
  const table = target.closest("[data-days]");
  const link = target.closest("td")?.querySelector("[data-day]");
  if (!table || !link) return;
  dayOfTable.set(table.dataset.days, link.id);
  rove();
});

// A change by the device removes the order of the keys.
new MutationObserver(rove).observe(
  document.body, { childList: true, subtree: true, attributeFilter: ["tabindex"] });
rove();
// The day to which a key led from another page.
const dayOfAddress = document.getElementById(location.hash.slice(1));
if (dayOfAddress?.matches("[data-day]")) dayOfAddress.focus();
