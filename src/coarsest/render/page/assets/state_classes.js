// The states of a system, the tree of their classes, and the cut through that tree which is drawn.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const STATES_AT_ONCE = 24;   // so many states of an opened class are drawn; its other states stay together
const CLASSES_AT_ONCE = 40;   // and so many of the classes into which one opens; the others are left out until somebody asks

const successors = s => data.targets.slice(data.offsets[s], data.offsets[s + 1]);
const actionOf = edge => data.actions === null ? 0 : data.actions[edge];

const parts = data.parent.map(() => []);   // the blocks that split off from a block, the earliest first
data.parent.forEach((from, block) => { if (from >= 0) parts[from].push(block); });
parts.forEach(list => list.sort((a, b) => data.level[a] - data.level[b] || a - b));
const members = data.parent.map(() => []);
data.block.forEach((block, state) => members[block].push(state));

const rounds = [...new Set(data.level)].sort((a, b) => a - b);

function nextSplit(block, round) {
  const list = parts[block];
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.level[list[middle]] > round) high = middle; else low = middle + 1;
  }
  return low < list.length ? data.level[list[low]] : Infinity;
}
const isClass = (block, round) => nextSplit(block, round) === Infinity;

const statesOf = (block, round) => blocksIn(block, round).flatMap(one => members[one]).sort((a, b) => a - b);

function blockAt(state, round) {
  let block = data.block[state];
  while (data.level[block] > round) block = data.parent[block];
  return block;
}

// The round that separated two states: 0 if they look different, null if nothing does.
function separation(one, other) {
  let first = data.block[one], second = data.block[other], last = null;
  while (first !== second) {
    if (data.level[first] < data.level[second]) [first, second] = [second, first];
    last = data.level[first];
    if (last === 0) return 0;
    first = data.parent[first];
  }
  return last;
}

// The cut: blocks with the round at which they are looked at, those opened to states, and those left out for want of room.
const cut = { round: new Map(), opened: new Map(), left: new Set() };

function cutAtRound(round) {
  cut.round.clear(); cut.opened.clear(); cut.left.clear();
  data.parent.forEach((_, block) => { if (data.level[block] <= round) cut.round.set(block, round); });
  if (cut.round.size <= data.most) return;
  const near = new Set(nearestBlocks(round));
  for (const block of cut.round.keys()) if (!near.has(block)) cut.left.add(block);
}

// The blocks that a search from the initial states meets first.
function nearestBlocks(round) {
  const found = [], met = new Set(), visited = new Uint8Array(data.offsets.length - 1);
  const queue = [...data.initial, ...visited.keys()];
  for (let at = 0, end = data.initial.length; found.length < data.most && at < queue.length; at++) {
    const waiting = visited[queue[at]] ? [] : [queue[at]];
    visited[queue[at]] = 1;
    for (let i = 0; i < waiting.length && found.length < data.most; i++) {
      const block = blockAt(waiting[i], round);
      if (!met.has(block)) { met.add(block); found.push(block); }
      for (const target of successors(waiting[i])) if (!visited[target]) { visited[target] = 1; waiting.push(target); }
    }
  }
  return found;
}

function firstCut() {
  const levels = [...data.level].sort((a, b) => a - b);
  let last = 0;
  levels.forEach((level, place) => { if (place < data.most && level !== levels[place + 1]) last = level; });
  cutAtRound(last);
  if (data.block.length <= data.most) for (const block of cut.round.keys()) open(block);
}

function open(block) {
  cut.left.delete(block);
  const round = cut.round.get(block), next = nextSplit(block, round);
  if (next === Infinity) { cut.opened.set(block, Math.min(members[block].length, STATES_AT_ONCE)); return; }
  const fresh = parts[block].filter(part => data.level[part] === next);
  for (const one of [block, ...fresh]) cut.round.set(one, next);
  for (const one of fresh.slice(CLASSES_AT_ONCE)) cut.left.add(one);
}

function close(block) {
  if (cut.opened.delete(block)) return;
  const round = cut.round.get(block);
  const from = data.level[block] === round ? data.parent[block] : block;
  if (from < 0 || round === 0) return;
  const before = rounds[Math.max(0, rounds.findIndex(one => one >= round) - 1)];
  for (const one of blocksIn(from, before)) { cut.round.delete(one); cut.opened.delete(one); cut.left.delete(one); }
  cut.round.set(from, before);
}

// Draw a state by itself. The block that it is in falls into its classes at once; if these are many, only that of the state is drawn.
function reveal(state) {
  const from = cutBlockOf(data.block[state]), block = data.block[state];
  if (!isClass(from, cut.round.get(from))) {
    const inside = blocksIn(from, cut.round.get(from)), last = rounds[rounds.length - 1];
    for (const one of inside) {
      cut.round.set(one, last);
      if (inside.length > CLASSES_AT_ONCE) cut.left.add(one);
    }
  }
  cut.left.delete(block);
  const place = members[block].indexOf(state), shown = cut.opened.get(block) || STATES_AT_ONCE;
  if (place >= shown) { members[block].splice(place, 1); members[block].unshift(state); }
  cut.opened.set(block, Math.min(members[block].length, shown));
}

// A block, and all that split off from it after a round.
function blocksIn(block, round) {
  const inside = [block], waiting = [block];
  while (waiting.length) for (const part of parts[waiting.pop()]) if (data.level[part] > round) { inside.push(part); waiting.push(part); }
  return inside;
}

function cutBlockOf(block) {
  let before = -1;
  while (block >= 0) {
    if (cut.round.has(block) && (before < 0 || data.level[before] > cut.round.get(block))) return block;
    before = block;
    block = data.parent[block];
  }
  return -1;
}

// What is drawn: nodes, the node of each state, and the arrows between nodes.
function drawnGraph() {
  const nodes = [], nodeOf = new Int32Array(data.block.length).fill(-1), ofBlock = new Map();
  const add = node => { node.number = nodes.length; nodes.push(node); return node; };
  let rest = null;
  for (const [block, round] of cut.round) {
    if (cut.left.has(block)) { rest = rest || { kind: "rest", key: "rest", size: 0, classes: 0 }; rest.classes++; ofBlock.set(block, rest); }
    else if (!cut.opened.has(block)) ofBlock.set(block, add({ kind: "class", key: "c" + block, block, round, size: 0 }));
    else {
      const shown = cut.opened.get(block);
      members[block].slice(0, shown).forEach(state => { nodeOf[state] = add({ kind: "state", key: "s" + state, state, block, size: 1 }).number; });
      if (shown < members[block].length)
        ofBlock.set(block, add({ kind: "more", key: "m" + block, block, round, size: 0 }));
    }
  }
  if (rest) add(rest);
  const ofFinal = data.parent.map((_, block) => ofBlock.get(cutBlockOf(block)));
  data.block.forEach((block, state) => {
    if (nodeOf[state] >= 0) return;
    nodeOf[state] = ofFinal[block].number;
    ofFinal[block].size++;
    if (ofFinal[block].example === undefined) ofFinal[block].example = state;
  });
  nodes.forEach(node => { if (node.kind === "state") node.example = node.state; });
  data.initial.forEach(state => { nodes[nodeOf[state]].initial = true; });
  return { nodes, nodeOf, edges: drawnEdges(nodes, nodeOf) };
}

function drawnEdges(nodes, nodeOf) {
  const edges = new Map();
  for (let source = 0; source < nodeOf.length; source++) {
    for (let at = data.offsets[source]; at < data.offsets[source + 1]; at++) {
      const key = nodeOf[source] * nodes.length + nodeOf[data.targets[at]];
      let edge = edges.get(key);
      if (!edge) edges.set(key, edge = { source: nodeOf[source], target: nodeOf[data.targets[at]], texts: new Set(), last: -1, from: 0 });
      if (edge.last !== source) { edge.last = source; edge.from++; }
      if (edge.texts.size < 12) edge.texts.add(data.said === null ? data.actionNames[actionOf(at)] : data.saidTexts[data.said[at]]);
    }
  }
  for (const edge of edges.values()) {
    edge.texts.delete("");
    edge.some = edge.from < nodes[edge.source].size;
  }
  return [...edges.values()];
}

// Words for states and classes.
const fact = (name, value) => value === "TRUE" ? name : value === "FALSE" ? "!" + name : `${name} = ${value}`;
const factsOf = state => data.columns.map(c => fact(c.name, c.values[c.codes[state]]));
const labelOf = state => data.labelNames[data.labels[state]];
const plural = (count, noun, many) => `${count.toLocaleString("en")} ${count === 1 ? noun : many || noun + "s"}`;
function nameOf(node) {
  if (node.kind === "state") return "state " + node.state;
  if (node.kind === "rest") return plural(node.classes, "more class", "more classes");
  return node.kind === "more" ? plural(node.size, "more state") : "class " + node.block;
}
