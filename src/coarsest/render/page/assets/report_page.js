// A report: cards are opened and closed together, further variables and folded stretches of traces come on demand.
"use strict";
document.addEventListener("click", event => {
  const target = event.target.closest("[data-others], [data-unfold], [data-cards]");
  if (!target) return;
  if (target.dataset.cards) {
    for (const card of document.querySelectorAll(".card"))
      card.open = target.dataset.cards === "all" || target.dataset.cards === card.dataset.verdict;
    return;
  }
  if (target.dataset.unfold !== undefined) {
    const table = target.closest("table"), number = target.dataset.unfold;
    table.querySelectorAll(`[data-fold="${number}"]`).forEach(cell => { cell.hidden = false; });
    table.querySelectorAll(`[data-folded="${number}"]`).forEach(cell => { cell.remove(); });
    return;
  }
  const table = target.closest(".tools").nextElementSibling, rows = table.querySelectorAll("tr.other");
  const hide = !rows[0].hidden;
  rows.forEach(row => { row.hidden = hide; });
  target.setAttribute("aria-pressed", String(!hide));
});
document.documentElement.dataset.ready = "yes";
