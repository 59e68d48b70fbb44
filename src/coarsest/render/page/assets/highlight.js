// A text in colours, by a grammar of TextMate: its patterns are `match`, `begin` with `end`, and `include`.
"use strict";
const SHADES = ["comment", "keyword.operator", "keyword", "constant", "storage", "string", "entity"];
const shadeOf = scope => { const shade = SHADES.find(one => (scope || "").startsWith(one)); return shade === "keyword.operator" ? "operator" : shade || ""; };

function compiled(grammar) {
  const flat = patterns => patterns.flatMap(one => one.include ? flat(grammar.repository[one.include.slice(1)].patterns) : [one]);
  return flat(grammar.patterns).map(one => ({
    match: new RegExp(one.match || one.begin, "y"), end: one.end ? new RegExp(one.end, "g") : null, shade: shadeOf(one.name),
  }));
}

// The tokens of a text: where each begins and ends, and its shade. A line is looked at alone, as editors do, unless something is open.
function tokens(text, rules) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    let taken = false;
    for (const rule of rules) {
      rule.match.lastIndex = at;
      const hit = rule.match.exec(text);
      if (!hit || !hit[0]) continue;
      let last = at + hit[0].length;
      if (rule.end) {
        rule.end.lastIndex = last;
        const close = rule.end.exec(text);
        last = close ? close.index + close[0].length : text.length;
      }
      if (rule.shade) found.push([at, last, rule.shade]);
      at = last;
      taken = true;
      break;
    }
    if (!taken) at++;
  }
  return found;
}

const inHtml = text => text.replace(/[&<>]/g, sign => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
function coloured(text, rules, wrong) {
  const parts = [];
  let at = 0;
  const put = (from, to, shade) => {
    if (from >= to) return;
    if (wrong && from < wrong[1] && wrong[0] < to) {
      const [low, high] = [Math.max(from, wrong[0]), Math.min(to, wrong[1])];
      put(from, low, shade); parts.push(`<span class="wrong">${inHtml(text.slice(low, high))}</span>`); put(high, to, shade);
    } else parts.push(shade ? `<span class="t-${shade}">${inHtml(text.slice(from, to))}</span>` : inHtml(text.slice(from, to)));
  };
  for (const [first, last, shade] of rules ? tokens(text, rules) : []) { put(at, first, ""); put(first, last, shade); at = last; }
  put(at, text.length, "");
  return parts.join("") + "\n";
}
