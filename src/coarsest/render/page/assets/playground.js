// The playground: the text goes to the server on this machine, what it finds comes back a line at a time.
const byId = id => document.getElementById(id);
const given = JSON.parse(byId("data").textContent), rulesOf = {};
const [text, colours, numbers, language] = ["text", "colours", "numbers", "language"].map(byId);
let wrong = null, work = null, pending = 0;

function paint() {
  const grammar = given.grammars[language.value];
  if (grammar && !rulesOf[language.value]) rulesOf[language.value] = compiled(grammar);
  colours.innerHTML = coloured(text.value, text.value.length < 200000 ? rulesOf[language.value] : null, wrong);
  const lines = text.value.split("\n").length;
  if (+numbers.dataset.lines !== lines) {
    numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n") + "\n\n";
    numbers.dataset.lines = lines;
  }
  follow();
}
function follow() { colours.scrollTop = numbers.scrollTop = text.scrollTop; colours.scrollLeft = text.scrollLeft; }

// A place in the text that a message is about: from there to the end of the word.
function placeOf(line, column) {
  const lines = text.value.split("\n");
  if (line > lines.length) return null;
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Array.from(lines[line - 1]).slice(0, column - 1).join("").length;
  const word = /^(\w+|[^\s\w]+|)/.exec(text.value.slice(start))[0];
  return [start, start + (word.length || 1)];
}
function goTo(place) {
  text.focus();
  text.setSelectionRange(place[0], place[1]);
  text.scrollTop = Math.max(0, (text.value.slice(0, place[0]).split("\n").length - 5) * 20);
}

function message(words, bad, place) {
  const box = document.createElement("div");
  box.className = bad ? "message mono bad" : "message mono";
  box.textContent = words;
  if (place) {
    const button = document.createElement("button");
    button.textContent = "Show";
    button.addEventListener("click", () => goTo(place));
    box.prepend(button);
  }
  byId("messages").append(box);
}
function status(words) { byId("status").textContent = words; }

const HEARS = {
  begins: command => { status({ check: "Checking …", show: "Drawing …", reduce: "Reducing …", simulate: "Walking …" }[command]); },
  progress: line => status(line),
  card: card => { byId("cards").insertAdjacentHTML("beforeend", card); },
  warning: (words, place) => message(words, false, place),
  complaint: (words, place) => { if (place && !wrong) { wrong = place; paint(); } message(words, true, place); },
  limit: words => message(`Not finished: ${words}.`, false),
  note: words => message(words, false),
  text: words => { const box = document.createElement("pre"); box.textContent = words.trimEnd(); byId("picture").append(box); },
  page: page => {
    const frame = document.createElement("iframe");
    frame.title = "a picture of it";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = page;
    byId("picture").append(frame);
  },
};
function hear(finding) {
  const place = finding.line ? placeOf(finding.line, finding.column) : null;
  for (const [word, content] of Object.entries(finding)) if (HEARS[word]) HEARS[word](content, place);
}

async function run() {
  stop();
  const own = work = new AbortController(), verdicts = {}, started = performance.now();
  let end = "";
  wrong = null;
  for (const id of ["messages", "cards", "picture"]) byId(id).replaceChildren();
  byId("run").disabled = true; byId("stop").disabled = false;
  document.documentElement.dataset.state = "working";
  paint();
  try {
    const order = { language: language.value, text: text.value, formula: byId("formula").value, task: byId("task").value };
    const reply = await fetch("run", { method: "POST", body: JSON.stringify(order), signal: own.signal, headers: { "Content-Type": "application/json" } });
    if (!reply.ok) throw new Error(await reply.text());
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const finding of lines.map(line => JSON.parse(line))) {
        hear(finding);
        if (finding.verdict) verdicts[finding.verdict] = (verdicts[finding.verdict] || 0) + 1;
        end = finding.ends || end;
      }
    }
    const words = Object.entries(verdicts).map(([word, count]) => `${count} ${word === "unknown" ? "undecided" : word}`).join(", ");
    status(end ? `${words || "Done"} (${((performance.now() - started) / 1000).toFixed(1)} s)` : "The server has ended.");
  } catch (error) {
    if (own.signal.aborted) status("Stopped."); else { status("It did not work."); message(error.message || String(error), true); }
  }
  if (work !== own) return;
  work = null;
  byId("run").disabled = false; byId("stop").disabled = true;
  document.documentElement.dataset.state = "idle";
}
function stop() { if (work) work.abort(); }

function choose(name) {
  const script = given.examples.find(one => one.name === name);
  if (!script) return;
  text.value = script.text; language.value = script.language; byId("formula").value = "";
  wrong = null; text.scrollTop = 0;
  paint();
}

given.examples.forEach(one => byId("example").add(new Option(one.name, one.name)));
byId("example").value = given.first;
byId("example").addEventListener("change", event => { stop(); choose(event.target.value); });
text.addEventListener("input", () => { wrong = null; cancelAnimationFrame(pending); pending = requestAnimationFrame(paint); });
text.addEventListener("scroll", follow);
language.addEventListener("change", paint);
byId("run").addEventListener("click", run);
byId("stop").addEventListener("click", stop);
byId("formula").addEventListener("keydown", event => { if (event.key === "Enter") run(); });
document.addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  if (event.key === "Escape") stop();
});
window.addEventListener("pagehide", stop);
choose(given.first);
document.documentElement.dataset.state = "idle";
