// Why two states differ: a formula of least depth that is true in one and false in the other, and its truth, looked up in the graph.
// The graph and the rounds in which its states were separated are enough for both (Cleaveland 1990).
"use strict";
const DEEPEST = 60, MOST_PAIRS = 4000;

function distinguish(one, other) {
  const depth = separation(one, other);
  if (depth === null) return null;
  if (depth > DEEPEST) return { depth };
  const known = new Map();
  const formula = formulaFor(one, other, known);
  if (formula === null) return { depth };
  return { depth, formula, confirmed: isTrue(formula, one) && !isTrue(formula, other) };
}

function formulaFor(one, other, known) {
  const key = one + "," + other;
  if (known.has(key)) return known.get(key);
  if (known.size > MOST_PAIRS) return null;
  const depth = separation(one, other);
  let formula;
  if (depth === 0) formula = labelFormula(one, other);
  else {
    const moves = [...movesOf(one, other, depth - 1, false), ...movesOf(other, one, depth - 1, true)];
    const best = moves.reduce((a, b) => b.rivals.length + b.negated / 2 < a.rivals.length + a.negated / 2 ? b : a);
    const inner = conjunction(best.target, best.rivals, known);
    if (inner === null) return null;
    formula = { kind: "can", action: best.action, inner };
    if (best.negated) formula = { kind: "not", inner: formula };
  }
  known.set(key, formula);
  return formula;
}

// What one state can do and the other cannot: reach a block by an action. The target is told apart from what the other reaches.
function movesOf(one, other, round, negated) {
  const answers = new Map(), moves = new Map();
  eachStep(other, (action, target) => {
    if (!answers.has(action)) answers.set(action, new Map());
    answers.get(action).set(data.block[target], target);
  });
  eachStep(one, (action, target) => {
    const rivals = [...(answers.get(action) || new Map()).values()], block = blockAt(target, round);
    if (!rivals.some(rival => blockAt(rival, round) === block)) moves.set(action + "," + block, { action, target, rivals, negated: negated ? 1 : 0 });
  });
  return [...moves.values()];
}

// True in a state and false in each rival; the hardest rivals first, and no part for a rival that is excluded already.
function conjunction(state, rivals, known) {
  const found = [];
  for (const rival of [...rivals].sort((a, b) => separation(state, b) - separation(state, a))) {
    if (found.some(part => !isTrue(part, rival))) continue;
    const part = formulaFor(state, rival, known);
    if (part === null) return null;
    found.push(part);
  }
  return found.length === 1 ? found[0] : { kind: "all", found };
}

function eachStep(state, visit) {
  for (let at = data.offsets[state]; at < data.offsets[state + 1]; at++) visit(actionOf(at), data.targets[at]);
}

function isTrue(formula, state) {
  if (formula.kind === "label") return data.labelParts[data.labels[state]].includes(formula.part);
  if (formula.kind === "not") return !isTrue(formula.inner, state);
  if (formula.kind === "all") return formula.found.every(part => isTrue(part, state));
  let can = false;
  eachStep(state, (action, target) => { can = can || action === formula.action && isTrue(formula.inner, target); });
  return can;
}

// In words of CTL where steps have no names, else of Hennessy and Milner; what is negated is said of all steps.
function shown(formula, negated = false) {
  const actions = data.actionNames.length > 1 || data.actionNames[0] !== "";
  if (formula.kind === "not") return shown(formula.inner, !negated);
  if (formula.kind === "label") return negated ? negation(formula.part) : bracketed(formula.part);
  if (formula.kind === "all") {
    if (!formula.found.length) return actions ? (negated ? "false" : "true") : (negated ? "FALSE" : "TRUE");
    return "(" + formula.found.map(part => shown(part, negated)).join(negated ? " | " : " & ") + ")";
  }
  const name = data.actionNames[formula.action];
  const inner = shown(formula.inner, negated);
  if (actions) return (negated ? `[${name}]` : `<${name}>`) + inner;
  return (negated ? "AX " : "EX ") + inner;
}

// Of what is seen in a state, only something that the other does not show.
function labelFormula(one, other) {
  const seen = data.labelParts[data.labels[one]], others = data.labelParts[data.labels[other]];
  const part = seen.find(text => !others.includes(text));
  if (part !== undefined) return { kind: "label", part };
  return { kind: "not", inner: { kind: "label", part: others.find(text => !seen.includes(text)) } };
}

// Is a text one name, or something in brackets that belong together, perhaps negated?
function isClosed(text) {
  if (text.startsWith("!")) return isClosed(text.slice(1));
  if (!text.startsWith("(")) return /^[\w.\[\]]+$/.test(text);
  let depth = 0;
  return [...text].findIndex(letter => (depth += (letter === "(") - (letter === ")")) === 0) === text.length - 1;
}
const bracketed = text => isClosed(text) ? text : `(${text})`;
const negation = text => text.startsWith("!") && isClosed(text) ? unwrapped(text.slice(1)) : "!" + bracketed(text);
const unwrapped = text => text.startsWith("(") && isClosed(text.slice(1, -1)) ? text.slice(1, -1) : text;
