// The page: a drawing of the classes that can be opened, a panel about what is chosen, a search, and a path to step through.
"use strict";
const $ = id => document.getElementById(id), SVG = "http://www.w3.org/2000/svg";
const escaped = text => String(text).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const FEW_LABELS = 60;
let graph = null, box = null, view = null, chosen = null, step = 0;

function draw(keep) {
  graph = drawnGraph();
  box = place(graph);
  const { nodes, edges } = graph, fans = fanned(nodes, edges);
  const labels = edges.filter(edge => edge.texts.size).length <= FEW_LABELS;
  $("drawing").innerHTML = edges.map((edge, i) => arrow(edge, i, nodes, fans[i], labels)).join("") + nodes.map(nodeShape).join("");
  if (!keep || !view) fit();
  $("count").textContent = `${plural(nodes.filter(n => n.kind === "class").length, "class", "classes")} and ` +
    `${plural(nodes.filter(n => n.kind === "state").length, "state")} drawn, of ${plural(data.block.length, "state")}`;
  drawTable();
  mark();
}

// Where arrows leave and arrive at a node: side by side, in the order of their other ends.
function fanned(nodes, edges) {
  const fans = edges.map(() => ({ out: 0, into: 0 }));
  for (const [own, other, side] of [["source", "target", "out"], ["target", "source", "into"]]) {
    const at = nodes.map(() => []);
    edges.forEach((edge, i) => { if (nodes[edge.target].y > nodes[edge.source].y + 5) at[edge[own]].push(i); });
    at.forEach((list, n) => {
      list.sort((a, b) => nodes[edges[a][other]].x - nodes[edges[b][other]].x);
      list.forEach((i, place) => { fans[i][side] = (nodes[n].width - 24) * ((place + 1) / (list.length + 1) - 0.5); });
    });
  }
  return fans;
}

function arrow(edge, number, nodes, fan, labels) {
  const { d, head, at } = curve(edge, nodes, fan), [x, y, across, down] = head;
  const back = [x - 8 * across, y - 8 * down], side = [-down * 3.4, across * 3.4];
  const points = [[x, y], [back[0] + side[0], back[1] + side[1]], [back[0] - side[0], back[1] - side[1]]];
  const texts = [...edge.texts], words = wordsOf(edge), upwards = nodes[edge.target].y < nodes[edge.source].y - 5;
  const title = `${nameOf(nodes[edge.source])} → ${nameOf(nodes[edge.target])}${edge.some ? " (some of its states)" : ""}${texts.length ? ": " + texts.join(" / ") : ""}`;
  const label = labels && words ? `<text class="label" x="${at[0]}" y="${at[1]}" text-anchor="${at[2]}">${escaped(words)}</text>` : "";
  return `<g class="edge${edge.some ? " some" : ""}${upwards ? " up" : ""}" data-edge="${number}"><title>${escaped(title)}</title><path d="${d}"/>` +
    `<polygon points="${points.join(" ")}"/>${label}</g>`;
}

function nodeShape(node) {
  const left = node.x - node.width / 2, top = node.y - node.height / 2;
  const lines = node.lines.map((line, i) =>
    `<text x="${node.x}" y="${top + 19 + i * LINE}"${i === 0 ? ' class="name"' : ""}>${escaped(line)}</text>`).join("");
  const entry = node.initial ? `<path class="entry" d="M${left - 26},${node.y} H${left - 8}"/><polygon class="entry" points="${left},${node.y} ${left - 8},${node.y - 4} ${left - 8},${node.y + 4}"/>` : "";
  const stack = node.size > 1 ? `<rect class="behind" x="${left + 4}" y="${top + 4}" width="${node.width}" height="${node.height}" rx="9"/>` : "";
  const spoken = `${nameOf(node)}${node.size > 1 ? ", " + plural(node.size, "state") : ""}${node.initial ? ", initial" : ""}: ${node.lines.slice(1).join(", ")}`;
  return `<g class="node ${node.kind} ${shadeOf(node)}" data-node="${node.number}" tabindex="0" role="button" aria-label="${escaped(spoken)}">` +
    `${entry}${stack}<rect x="${left}" y="${top}" width="${node.width}" height="${node.height}" rx="9"/>${lines}</g>`;
}

function shadeOf(node) {
  if (node.kind === "rest" || node.kind === "more") return "shade0";
  if (!data.markNames.length) return data.labelNames.length > 1 ? "shade" + (data.labels[node.example] % 8 + 1) : "shade0";
  const states = node.kind === "state" ? [node.state] : statesOf(node.block, node.round), marks = new Set(states.map(s => data.marks[s]));
  return marks.size === 1 ? "shade" + [...marks][0] : "mixed";
}

// Looking at it: all of it, nearer, elsewhere.
function fit() { view = { ...box }; look(); }
function look() { $("drawing").setAttribute("viewBox", `${view.left} ${view.top} ${view.width} ${view.height}`); }
function zoom(factor, x = 0.5, y = 0.5) {
  const width = Math.min(box.width * 4, Math.max(80, view.width * factor)), ratio = width / view.width;
  view = { left: view.left + view.width * (1 - ratio) * x, top: view.top + view.height * (1 - ratio) * y, width, height: view.height * ratio };
  look();
}
function centre(node) {
  const frame = $("drawing").getBoundingClientRect();
  const width = Math.min(view.width, Math.max(frame.width, 300)), height = width * frame.height / frame.width;
  view = { left: node.x - width / 2, top: node.y - height / 2, width, height };
  look();
}

// What is chosen, and what is said about it.
function choose(key, focus) {
  const node = graph.nodes.find(one => one.key === key);
  chosen = node ? key : null;
  mark();
  $("about").innerHTML = node ? about(node) : HELP;
  const select = $("other");
  if (select) select.onchange = () => { $("difference").innerHTML = difference(node, graph.nodes[select.value]); };
  if (node && focus) $("drawing").querySelector(`[data-node="${node.number}"]`).focus({ preventScroll: true });
}
const HELP = $("about").innerHTML;

function about(node) {
  const parts = [`<h2>${escaped(nameOf(node))}</h2>`];
  const opens = node.kind === "class" && (node.size > 1 || !isClass(node.block, node.round));
  const buttons = [];
  if (opens) buttons.push(`<button data-do="open">Open <kbd>o</kbd></button>`);
  if (node.kind === "more") buttons.push(`<button data-do="further">Show more of them</button>`);
  if (node.kind === "rest") buttons.push(`<button data-do="rest">Draw ${Math.min(30, node.classes)} of them</button>`);
  if (node.kind === "state" ? members[node.block].length > 1 || node.block > 0 : node.kind === "class" && node.round > 0)
    buttons.push(`<button data-do="close">${node.kind === "state" ? "Back to its class" : "Close"} <kbd>c</kbd></button>`);
  parts.push(`<p class="buttons">${buttons.join(" ")}</p>`);
  if (node.kind === "rest") return parts.join("");
  if (node.kind === "state") parts.push(table([...data.columns.map(c => [c.name, c.values[c.codes[node.state]]]), ...data.fixed]));
  else parts.push(`<p>${plural(node.size, "state")}, all alike to whoever sees: <code>${escaped(labelOf(node.example) || "nothing")}</code></p>`);
  if (node.kind === "state" && labelOf(node.state)) parts.push(`<p>What is observed: <code>${escaped(labelOf(node.state))}</code></p>`);
  parts.push(`<h3>Why ${node.kind === "state" ? "it is in its class" : "equal"}</h3>${whyEqual(node)}`);
  parts.push(`<h3>Why different</h3>${whyDifferent(node)}`);
  parts.push(neighbours(node));
  if (node.kind !== "state") parts.push(memberList(node));
  return parts.join("");
}

const table = rows => rows.length ? `<table>${rows.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>` : "";

function whyEqual(node) {
  const round = node.kind === "state" ? data.level[node.block] : node.round;
  if (node.kind !== "state" && !isClass(node.block, node.round)) {
    return `<p>No formula with ${round ? `at most ${plural(round, "nested modality", "nested modalities")}` : "no modality"} tells them apart. ` +
      `They are ${plural(blocksIn(node.block, node.round).length, "class", "classes")} to whoever looks further: open it.</p>`;
  }
  const sets = members[node.block].slice(0, 5000).map(signature), same = sets.every(text => text === sets[0]);
  const steps = sets[0] ? sets[0].split("\n").map(line => `<li>${escaped(line)}</li>`).join("") : "<li>no step at all</li>";
  const told = data.sample ? " within this sample" : "";
  return `<p>Each has steps to exactly these classes${told}${same ? `, as was looked up for ${sets.length < members[node.block].length ? "the first " : "all "}${plural(sets.length, "state")}` : ""}:</p><ul>${steps}</ul>`;
}

function signature(state) {
  const steps = new Set();
  eachStep(state, (action, target) => steps.add(`${data.actionNames[action] ? data.actionNames[action] + " → " : "→ "}class ${data.block[target]}`));
  return [...steps].sort().join("\n");
}

function whyDifferent(node) {
  const others = graph.nodes.filter(other => other !== node && other.example !== undefined && other.kind !== "rest");
  if (!others.length) return "<p>There is nothing else.</p>";
  const apart = other => { const depth = separation(node.example, other.example); return depth === null ? -1 : depth; };
  others.sort((a, b) => apart(b) - apart(a) || a.number - b.number);
  const options = others.slice(0, 300).map(other => `<option value="${other.number}">${escaped(nameOf(other))}</option>`).join("");
  return `<label>from <select id="other">${options}</select></label><div id="difference">${difference(node, others[0])}</div>`;
}

function difference(node, other) {
  const [one, two] = [node.example, other.example], result = distinguish(one, two);
  if (result === null) return `<p>Not at all: they are in one class.</p>`;
  if (!result.formula) return `<p>A formula with ${plural(result.depth, "nested modality", "nested modalities")} is needed: too long to be shown.</p>`;
  return `<p><code class="formula">${escaped(shown(result.formula))}</code></p><p>is true in ${escaped(nameOf(node))} and false in ` +
    `${escaped(nameOf(other))}${result.confirmed ? " (looked up in both)" : ""}; no formula with fewer nested modalities does it` +
    `${data.sample ? ", within this sample" : ""}.</p>`;
}

function neighbours(node) {
  const list = (edges, end, word) => {
    const items = edges.slice(0, 40).map(edge => {
      const other = graph.nodes[edge[end]], texts = [...edge.texts].slice(0, 4).join(" / ");
      return `<li><button class="link" data-go="${other.key}">${escaped(nameOf(other))}</button>${texts ? ` <code>${escaped(texts)}</code>` : ""}${edge.some ? " <i>some of them</i>" : ""}</li>`;
    });
    return `<h3>${word}</h3>${items.length ? `<ul>${items.join("")}</ul>` : "<p>none</p>"}`;
  };
  return list(graph.edges.filter(edge => edge.source === node.number), "target", "Steps to") +
    list(graph.edges.filter(edge => edge.target === node.number), "source", "Steps from");
}

function memberList(node) {
  const states = node.kind === "class" ? statesOf(node.block, node.round) : members[node.block].slice(cut.opened.get(node.block));
  return `<details><summary>Its states</summary><ul>${states.slice(0, 50).map(stateItem).join("")}</ul>` +
    `${states.length > 50 ? `<p>… and ${plural(states.length - 50, "more state")}: search for them</p>` : ""}</details>`;
}

const stateItem = state => `<li><button class="link" data-state="${state}">state ${state}</button> ${escaped(factsOf(state).slice(0, 8).join(", ") || labelOf(state))}</li>`;

// What is drawn, as a table: for those who do not see the drawing.
function drawTable() {
  const targets = graph.nodes.map(() => []);
  graph.edges.forEach(edge => targets[edge.source].push(nameOf(graph.nodes[edge.target])));
  $("table").innerHTML = `<tr><th>node</th><th>shows</th><th>steps to</th></tr>` + graph.nodes.map(node =>
    `<tr><th scope="row"><button class="link" data-go="${node.key}">${escaped(nameOf(node))}</button>${node.initial ? " (initial)" : ""}</th>` +
    `<td>${escaped(node.lines.slice(1).join(", "))}</td><td>${escaped(targets[node.number].slice(0, 30).join(", "))}</td></tr>`).join("");
}

// The search: words that all hold, as `x = 3`, `!door`, a number of a state, or a part of what is observed.
function search(text) {
  const terms = text.replace(/\s*(!?=)\s*/g, "$1").split(/[\s,&]+/).filter(term => term);
  if (!terms.length) { $("results").innerHTML = ""; return; }
  const tests = terms.map(testOf), found = [];
  let count = 0;
  for (let state = 0; state < data.block.length; state++)
    if (tests.every(test => test(state))) { count++; if (found.length < 30) found.push(state); }
  $("results").innerHTML = `<p>${plural(count, "state")}</p><ul>${found.map(stateItem).join("")}</ul>`;
}

function testOf(term) {
  const parts = /^(!?)([^=!]+)(?:(!?=)(.*))?$/.exec(term) || [], column = data.columns.find(c => c.name === parts[2]);
  if (column) {
    const value = parts[3] ? parts[4] : "TRUE", codes = new Set();
    column.values.forEach((one, code) => { if (one.toLowerCase() === value.toLowerCase()) codes.add(code); });
    const wanted = (parts[1] === "!") === (parts[3] === "!=");
    return state => codes.has(column.codes[state]) === wanted;
  }
  if (/^\d+$/.test(term)) return state => state === +term;
  const near = new Set(data.labelNames.map((name, i) => name.replace(/\s*=\s*/g, "=").includes(term) ? i : -1));
  return state => near.has(data.labels[state]);
}

// The path: which nodes and arrows it takes, and where one is.
function mark() {
  const on = new Set(), path = data.path;
  if (path) {
    const nodes = path.states.map(state => graph.nodeOf[state]);
    if (path.loop !== null) nodes.push(nodes[path.loop]);
    nodes.forEach((n, i) => { if (i) on.add(nodes[i - 1] + "," + n); });
  }
  $("drawing").querySelectorAll(".edge").forEach(shape => {
    const edge = graph.edges[shape.dataset.edge], node = graph.nodes.find(one => one.key === chosen);
    shape.classList.toggle("path", on.has(edge.source + "," + edge.target));
    shape.classList.toggle("near", !!node && (edge.source === node.number || edge.target === node.number));
  });
  const now = path ? graph.nodeOf[path.states[step]] : -1;
  $("drawing").querySelectorAll(".node").forEach(shape => {
    shape.classList.toggle("chosen", graph.nodes[shape.dataset.node].key === chosen);
    shape.classList.toggle("now", +shape.dataset.node === now);
  });
}

function goTo(place) {
  const path = data.path, before = step, last = path.states.length - 1;
  step = place > last ? (path.loop === null ? last : path.loop) : Math.max(0, place);
  $("slider").value = step;
  const returns = place > last && path.loop !== null ? " (back to the begin of the loop)" : "";
  $("step").textContent = `${path.unit} ${step} of ${last}${returns}: ${path.texts[step]}`;
  $("slider").setAttribute("aria-valuetext", $("step").textContent);
  mark();
  if (before !== step || place === step) {
    const node = graph.nodes[graph.nodeOf[path.states[step]]];
    const inside = node.x > view.left && node.x < view.left + view.width && node.y > view.top && node.y < view.top + view.height;
    if (!inside) centre(node);
  }
}

// What hands do.
const ACTS = {
  open: node => { if (node.kind === "class" && (node.size > 1 || !isClass(node.block, node.round))) { open(node.block); after(node.block); } },
  close: node => { if (node.block !== undefined) { close(node.block); after(node.block); } },
  further: node => { cut.opened.set(node.block, Math.min(members[node.block].length, cut.opened.get(node.block) + STATES_AT_ONCE)); after(node.block); },
  rest: () => { [...cut.left].slice(0, 30).forEach(block => cut.left.delete(block)); draw(false); choose(null); },
};
function after(block) {
  draw(false);
  const node = graph.nodes.find(one => one.block === block) || graph.nodes.find(one => one.block === cutBlockOf(block));
  choose(node ? node.key : null, true);
}
function act(word) {
  const node = graph.nodes.find(one => one.key === chosen);
  if (node) ACTS[word](node);
}

document.addEventListener("click", event => {
  const target = event.target.closest("[data-do], [data-go], [data-state], [data-zoom], [data-step], .node");
  if (!target) return;
  const { do: word, go, state, zoom: way, step: by, node } = target.dataset;
  if (word) act(word);
  else if (go) { choose(go, true); centre(graph.nodes.find(one => one.key === go)); }
  else if (state !== undefined) { reveal(+state); draw(true); choose("s" + state, true); centre(graph.nodes[graph.nodeOf[state]]); }
  else if (way) way === "fit" ? fit() : zoom(way === "in" ? 1 / 1.3 : 1.3);
  else if (by) goTo(step + +by);
  else if (!dragged) choose(graph.nodes[node].key);
});
document.addEventListener("dblclick", event => { const shape = event.target.closest(".node"); if (shape) { choose(graph.nodes[shape.dataset.node].key); act("open"); } });
document.addEventListener("keydown", event => {
  if (event.target.matches("input[type=search], select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const shape = event.target.closest && event.target.closest(".node");
  const keys = {
    o: () => act("open"), c: () => act("close"), "+": () => zoom(1 / 1.3), "-": () => zoom(1.3), 0: fit,
    "/": () => $("search").focus(), Escape: () => choose(null),
    Enter: () => shape && choose(graph.nodes[shape.dataset.node].key, true), " ": () => shape && choose(graph.nodes[shape.dataset.node].key, true),
  };
  if (data.path) Object.assign(keys, {
    ArrowRight: () => goTo(step + 1), ArrowLeft: () => goTo(step - 1), Home: () => goTo(0), End: () => goTo(data.path.states.length - 1),
  });
  if (!keys[event.key] || ((event.key === "Enter" || event.key === " ") && !shape)) return;
  event.preventDefault();
  keys[event.key]();
});

let dragged = false, pointers = new Map();
const canvas = $("drawing");
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const frame = canvas.getBoundingClientRect();
  zoom(event.deltaY < 0 ? 1 / 1.15 : 1.15, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
}, { passive: false });
canvas.addEventListener("pointerdown", event => { dragged = false; pointers.set(event.pointerId, [event.clientX, event.clientY]); });
canvas.addEventListener("pointermove", event => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const across = event.clientX - last[0], down = event.clientY - last[1], frame = canvas.getBoundingClientRect();
  if (Math.abs(across) + Math.abs(down) < 3 && !dragged) return;
  dragged = true;
  if (pointers.size === 2) {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    zoom(Math.hypot(last[0] - other[0], last[1] - other[1]) / Math.max(1, Math.hypot(event.clientX - other[0], event.clientY - other[1])));
  } else {
    const scale = Math.max(view.width / frame.width, view.height / frame.height);
    view.left -= across * scale; view.top -= down * scale; look();
  }
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const end of ["pointerup", "pointercancel", "pointerleave"]) canvas.addEventListener(end, event => pointers.delete(event.pointerId));
let waiting = 0;
$("search").addEventListener("input", event => { clearTimeout(waiting); waiting = setTimeout(() => search(event.target.value), 150); });
if (data.path) {
  $("slider").max = data.path.states.length - 1;
  $("slider").addEventListener("input", event => goTo(+event.target.value));
}

firstCut();
draw(false);
if (data.path) goTo(0);
document.documentElement.dataset.ready = "yes";
