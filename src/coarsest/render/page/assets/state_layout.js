// Places for the nodes: rows by their distance from the initial ones, so that no arrow leads down more than one row, and in each
// row near the neighbours in the rows above and below.
"use strict";
const LETTER = 7.3, LINE = 15, GAP = 34, ROW_GAP = 46, SWEEPS = 24;

function place(graph) {
  const { nodes, edges } = graph, out = nodes.map(() => []), into = nodes.map(() => []);
  for (const edge of edges) if (edge.source !== edge.target) { out[edge.source].push(edge.target); into[edge.target].push(edge.source); }
  const rows = inRows(nodes, out);
  for (const node of nodes) {
    node.lines = linesOf(node);
    node.width = Math.max(46, Math.max(...node.lines.map(line => line.length)) * LETTER + 20);
    node.height = node.lines.length * LINE + 14;
    node.room = 0;
  }
  for (const edge of edges) if (edge.source === edge.target) nodes[edge.source].room = 30 + 6.6 * wordsOf(edge).length;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(row.map(n => [n, middle(n, [...(sweep % 2 ? out : into)[n], ...(sweep > SWEEPS - 6 ? (sweep % 2 ? into : out)[n] : [])], nodes)]));
      if (sweep < SWEEPS - 6) row.sort((a, b) => wish.get(a) - wish.get(b) || a - b);
      spread(row, wish, nodes);
    }
  }
  let top = 0;
  for (const row of rows) {
    const height = Math.max(...row.map(n => nodes[n].height));
    row.forEach(n => { nodes[n].y = top + height / 2; });
    const sideways = Math.max(0, ...row.flatMap(n => out[n].map(m => Math.abs(nodes[n].x - nodes[m].x))));
    top += height + ROW_GAP + Math.min(70, sideways * 0.08);
  }
  const left = Math.min(...nodes.map(n => n.x - n.width / 2)) - 50, right = Math.max(...nodes.map(n => n.x + n.width / 2 + n.room)) + 60;
  return { left, top: -30, width: right - left, height: Math.max(60, top) };
}

function inRows(nodes, out) {
  const row = new Array(nodes.length).fill(-1), rows = [];
  const search = (starts, first) => {
    let frontier = starts.filter(n => row[n] < 0);
    for (let depth = first; frontier.length; depth++) {
      frontier.forEach(n => { row[n] = depth; (rows[depth] = rows[depth] || []).push(n); });
      frontier = [...new Set(frontier.flatMap(n => out[n]))].filter(n => row[n] < 0);
    }
  };
  const numbers = nodes.map((_, n) => n);
  search(numbers.filter(n => nodes[n].initial), 0);
  for (const n of numbers) if (row[n] < 0) search([n], rows.length);
  // A row that would be much wider than the window is cut: nothing is to be read in a line of a hundred nodes.
  const widest = Math.max(9, Math.ceil(1.6 * Math.sqrt(nodes.length)));
  return rows.flatMap(items => {
    const count = Math.ceil(items.length / widest), each = Math.ceil(items.length / count);
    return Array.from({ length: count }, (_, i) => items.slice(i * each, (i + 1) * each));
  });
}

function middle(node, near, nodes) {
  const placed = near.filter(n => nodes[n].x !== undefined);
  if (!placed.length) return nodes[node].x || 0;
  return placed.reduce((sum, n) => sum + nodes[n].x, 0) / placed.length;
}

// The places nearest to the wishes at which no two nodes of a row overlap: those that would are pooled.
function spread(row, wish, nodes) {
  const pools = [];
  let shift = 0;
  const shifts = row.map((n, i) => i ? shift += (nodes[row[i - 1]].width + nodes[n].width) / 2 + nodes[row[i - 1]].room + GAP : 0);
  row.forEach((n, i) => {
    pools.push({ mean: wish.get(n) - shifts[i], count: 1 });
    while (pools.length > 1 && pools[pools.length - 2].mean >= pools[pools.length - 1].mean) {
      const last = pools.pop(), before = pools[pools.length - 1];
      before.mean = (before.mean * before.count + last.mean * last.count) / (before.count + last.count);
      before.count += last.count;
    }
  });
  const means = pools.flatMap(pool => new Array(pool.count).fill(pool.mean));
  row.forEach((n, i) => { nodes[n].x = means[i] + shifts[i]; });
}

const MOST_LINES = 6;
function linesOf(node) {
  if (node.kind === "rest" || node.kind === "more") return ["… " + nameOf(node)];
  const head = node.kind === "class" ? `class ${node.block}${node.size > 1 ? " · " + plural(node.size, "state") : ""}` : nameOf(node);
  const facts = node.kind === "state" && data.columns.length ? factsOf(node.state) : wrapped(labelOf(node.example), 28);
  return [head, ...(facts.length > MOST_LINES ? [...facts.slice(0, MOST_LINES - 1), `… ${facts.length - MOST_LINES + 1} more`] : facts)];
}

function wrapped(text, width) {
  const lines = [];
  for (const word of text.split(" ").filter(word => word)) {
    if (lines.length && lines[lines.length - 1].length + word.length < width) lines[lines.length - 1] += " " + word;
    else lines.push(word.length > 40 ? word.slice(0, 39) + "…" : word);
  }
  return lines;
}

function wordsOf(edge) {
  const texts = [...edge.texts], words = texts.slice(0, 3).join(" / ");
  return words.length > 34 ? words.slice(0, 33) + "…" : words + (texts.length > 3 ? " …" : "");
}

// An arrow as a curve: down to the next row, round the side to rows above, over the heads of neighbours in a row.
function curve(edge, nodes, fan) {
  const from = nodes[edge.source], to = nodes[edge.target];
  if (from === to) {
    const x = from.x + from.width / 2, y = from.y;
    return { d: `M${x},${y - 7} C${x + 30},${y - 20} ${x + 30},${y + 20} ${x + 7},${y + 7}`, head: [x, y + 6, -1, -0.2], at: [x + 24, y + 4, "start"] };
  }
  if (to.y > from.y + 5) {
    const x = from.x + fan.out, y = from.y + from.height / 2, endX = to.x + fan.into, endY = to.y - to.height / 2, half = (endY - 8 - y) / 2;
    return { d: `M${x},${y} C${x},${y + half} ${endX},${endY - 8 - half} ${endX},${endY - 8}`, head: [endX, endY, 0, 1], at: [x + (endX - x) * 0.25, y + (endY - y) * 0.36, "middle"] };
  }
  if (to.y > from.y - 5) {
    const way = to.x > from.x ? 1 : -1, x = from.x + way * from.width / 4, endX = to.x - way * to.width / 4;
    const y = from.y - from.height / 2, endY = to.y - to.height / 2, up = 26 + Math.min(30, Math.abs(endX - x) / 12);
    return { d: `M${x},${y} C${x},${y - up} ${endX},${endY - 8 - up} ${endX},${endY - 8}`, head: [endX, endY, 0, 1], at: [(x + endX) / 2, y - up * 0.8, "middle"] };
  }
  const way = to.x + to.width / 2 >= from.x + from.width / 2 - 4 ? 1 : -1;
  const x = from.x + way * from.width / 2, endX = to.x + way * to.width / 2, far = Math.max(x * way, endX * way) + 24 + Math.min(60, (from.y - to.y) / 9);
  return {
    d: `M${x},${from.y} C${far * way},${from.y} ${far * way},${to.y} ${endX + way * 8},${to.y}`, head: [endX, to.y, -way, 0],
    at: [far * way - way * 6, (from.y + to.y) / 2, way > 0 ? "start" : "end"],
  };
}
