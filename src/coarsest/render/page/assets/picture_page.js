// Pictures that fit the window, and can be looked at from nearer: by the wheel, by keys and by buttons.
"use strict";
for (const frame of document.querySelectorAll(".picture")) {
  const drawing = frame.querySelector("svg"), [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
  let scale = 1, from = null;
  const fitting = () => Math.min(1, (frame.clientWidth - 2) / width);
  const show = () => { drawing.setAttribute("width", width * scale); drawing.setAttribute("height", height * scale); };
  const fit = () => { scale = fitting(); show(); };
  const zoom = factor => { scale = Math.min(8, Math.max(0.05, scale * factor)); show(); };
  fit();
  window.addEventListener("resize", fit);
  frame.addEventListener("wheel", event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  frame.addEventListener("pointerdown", event => { from = [event.clientX + frame.scrollLeft, event.clientY + frame.scrollTop]; });
  frame.addEventListener("pointermove", event => {
    if (from === null || event.buttons !== 1) return;
    frame.scrollLeft = from[0] - event.clientX;
    frame.scrollTop = from[1] - event.clientY;
  });
  const keys = { "+": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: fit };
  frame.addEventListener("keydown", event => { if (keys[event.key]) { event.preventDefault(); keys[event.key](); } });
  frame.previousElementSibling.addEventListener("click", event => { const act = keys[event.target.dataset.key]; if (act) act(); });
}
document.documentElement.dataset.ready = "yes";
