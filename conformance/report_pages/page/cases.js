// The list of all cases, of which only the rows in sight are elements, and the
// filter.

const GLYPHS = { good: "✓", bad: "✗", broken: "!", open: "–", absent: "" };
const ROW = 26;
// Browsers have no higher elements.
const HIGHEST = 8000000;

/** A test of ids: words that all occur; or a pattern of * and ?. */
function textTest(text) {
  if (/[*?]/.test(text)) {
    const pattern = text.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
    const expression = new RegExp("^" + pattern + "$");
    // The beginning is found faster than by the expression.
    const start = text.substring(0, text.search(/[*?]/));
    if (text === start + "*") return (id) => id.startsWith(start);
    return (id) => id.startsWith(start) && expression.test(id);
  }
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return (id) => words.every((word) => id.includes(word));
}

/** A test of a row in a run, by what the address asks for. */
function runTest(values) {
  const tests = [];
  const verdict = report.verdicts.findIndex((v) => v[0] === values.get("verdict"));
  if (verdict >= 0) tests.push((run, row) => run.verdicts[row] === verdict);
  if (values.get("standing") === "fails") tests.push((run, row) => { const s = standingOf(run, row); return s === 1 || s === 2; });
  const ulps = values.get("ulps");
  if (ulps === "nan") tests.push((run, row) => run.ulps[row] === "nan");
  else if (ulps) {
    const [low, high] = ulps.split("..").map(Number);
    tests.push((run, row) => run.elements[row] > 0 && run.ulps[row] !== "nan" && run.ulps[row] >= low && run.ulps[row] <= high);
  }
  const reason = values.get("reason");
  if (reason) tests.push((run, row) => reasonOf(run, row) === reason);
  const share = values.get("share");
  if (share) tests.push((run, row) => run.shares[row] !== "" && shareBucket(run.shares[row]) === Number(share));
  return tests.length === 0 ? null : (run, row) => tests.every((test) => test(run, row));
}

/** The numbers of the rows that the address asks for. */
function matching(values) {
  const found = new Int32Array(report.rows);
  const test = textTest(values.get("text") || ""), inRun = runTest(values);
  const one = values.get("run");
  const runs = one ? report.runs.filter((run) => String(run.index) === one) : report.runs;
  const change = values.get("change"), before = report.runs[values.get("before")], after = report.runs[values.get("after")];
  let count = 0;
  for (let row = 0; row < report.rows; ++row) {
    if (one && runs.length && runs[0].verdicts[row] === ABSENT) continue;
    if (inRun && !runs.some((run) => inRun(run, row))) continue;
    if (test && !test(report.ids[row])) continue;
    if (change && before && after && changeOf(before, after, row) !== Number(change)) continue;
    found[count++] = row;
  }
  return found.subarray(0, count);
}

function stateText(run, row) {
  const name = verdictName(run, row);
  const detail = run.details.get(row);
  return name + (detail && detail[3] >= 0 ? ", flaky" : "");
}

/** The list; `choose` is called with the row that a person chooses. */
class CaseList {
  constructor(rows, runs, chosen, choose) {
    this.rows = rows; this.runs = runs; this.choose = choose;
    this.active = Math.max(0, rows.indexOf(chosen));
    this.space = element("div", { style: "height:" + Math.min(rows.length * ROW, HIGHEST) + "px" });
    this.box = element("div", { class: "list", tabindex: "0", role: "listbox", id: "list", "aria-label": counted(rows.length, "case") + "; arrows move, Enter opens",
      onscroll: () => this.draw(), onkeydown: (e) => this.key(e) }, this.space);
    this.narrow = chosen >= 0;
    this.drawn = [];
  }

  /** How far the list is scrolled, in rows. */
  first() {
    const seen = this.box.clientHeight, whole = this.rows.length * ROW;
    if (whole <= HIGHEST) return this.box.scrollTop / ROW;
    return this.box.scrollTop / (HIGHEST - seen) * (this.rows.length - seen / ROW);
  }

  draw() {
    const from = Math.floor(this.first()), offset = this.box.scrollTop - (this.first() - from) * ROW;
    const count = Math.ceil(this.box.clientHeight / ROW) + 1;
    for (const old of this.drawn) old.remove();
    this.drawn = [];
    for (let i = from; i < Math.min(from + count, this.rows.length); ++i) this.drawn.push(this.rowElement(i, offset + (i - from) * ROW));
    this.box.append(...this.drawn);
    this.box.setAttribute("aria-activedescendant", "row" + this.active);
  }

  rowElement(i, top) {
    const row = this.rows[i];
    const states = this.runs.map((run) => {
      const words = stateText(run, row), name = STANDINGS[standingOf(run, row)];
      return element("span", { class: "state " + name, title: named(runName(run)) + words, "aria-label": named(runName(run)) + words }, this.narrow ? GLYPHS[name] : words);
    });
    return element("div", { class: "row", id: "row" + i, role: "option", "aria-selected": String(i === this.active), "aria-posinset": i + 1, "aria-setsize": this.rows.length,
      style: "top:" + top + "px", onclick: () => { this.active = i; this.choose(row); } },
      element("span", { class: "id", title: report.ids[row] }, report.ids[row]), ...states);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    if (event.key === "Enter" && this.rows.length) return this.choose(this.rows[this.active]);
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.active = Math.max(0, Math.min(this.rows.length - 1, this.active + steps[event.key]));
    this.show();
  }

  /** Scrolls so that the active row is in sight. */
  show() {
    const seen = this.box.clientHeight / ROW, first = this.first();
    let wanted = first;
    if (this.active < first) wanted = this.active;
    if (this.active + 1 > first + seen) wanted = this.active + 1 - seen;
    const whole = this.rows.length * ROW;
    if (wanted !== first) this.box.scrollTop = whole <= HIGHEST ? wanted * ROW : wanted / (this.rows.length - seen) * (HIGHEST - this.box.clientHeight);
    this.draw();
  }
}

/** What the address asks for beside texts, in words. */
function filterWords(values) {
  const words = [];
  if (values.get("ulps")) words.push("largest distance " + values.get("ulps").replace("..Infinity", " or more").replace("..", " to ") + " ulp");
  if (values.get("share")) words.push("share of the bound in bar " + values.get("share"));
  if (values.get("reason")) words.push(values.get("reason"));
  if (values.get("change")) words.push(report.changeNames[values.get("change")][0] + " from " + runName(report.runs[values.get("before")]) + " to " + runName(report.runs[values.get("after")]));
  return words;
}

function caseTools(values, go) {
  const verdicts = report.verdicts.filter((_, v) => report.runs.some((run) => run.columns.verdicts.includes(String.fromCharCode(97 + v))));
  const chosen = values.get("standing") === "fails" ? "fails" : values.get("verdict") || "";
  const words = filterWords(values);
  return element("div", { class: "tools" },
    labelled("Ids: words, or a pattern of * and ?", element("input", { type: "search", id: "find", value: values.get("text") || "", placeholder: "add f32, dot/*/values*", oninput: (e) => go({ text: e.target.value }, true) })),
    labelled("Verdict", element("select", { id: "verdict", onchange: (e) => go(e.target.value === "fails" ? { standing: "fails", verdict: "" } : { standing: "", verdict: e.target.value }) },
      option("", "any", chosen), option("fails", "all that fail", chosen), ...verdicts.map(([name]) => option(name, name, chosen)))),
    report.runs.length > 1 ? labelled("Run", element("select", { id: "which", onchange: (e) => go({ run: e.target.value }) },
      option("", "any run", values.get("run") || ""), ...report.runs.map((run) => option(String(run.index), runName(run), values.get("run"))))) : null,
    words.length ? element("span", { class: "tag" }, words.join("; ")) : null,
    element("a", { href: "#cases" }, "all cases"));
}

function cases(values) {
  const began = performance.now();
  const rows = matching(values);
  report.filterTime = performance.now() - began;
  const go = (change, typed) => {
    const all = Object.fromEntries(Object.entries({ ...Object.fromEntries(values), ...change, case: "" }).filter(([, value]) => value !== ""));
    if (!typed) { location.hash = address("cases", all); return; }
    history.replaceState(null, "", address("cases", all));
    values = new URLSearchParams(all);
    showCases(result, values);
  };
  const result = element("div", {});
  const view = element("div", {}, caseTools(values, go), result);
  showCases(result, values, rows);
  return view;
}

/** The list for the address, and beside it the case that is chosen. */
function showCases(place, values, found) {
  const began = performance.now();
  const rows = found || matching(values);
  const one = values.get("run");
  const runs = one && report.runs.length > 3 ? [report.runs[one]] : report.runs;
  const chosen = values.has("case") ? report.ids.indexOf(values.get("case")) : -1;
  const list = new CaseList(rows, runs, chosen, (row) => {
    location.hash = address("cases", { ...Object.fromEntries(values), case: report.ids[row] });
  });
  const heads = element("div", { class: "heads", "aria-hidden": "true" }, element("span", { class: "id" }, "case"), ...runs.map((run) => element("span", { class: "state", title: runName(run) }, chosen >= 0 ? String(run.index + 1) : runName(run))));
  place.replaceChildren(
    element("p", { role: "status" }, counted(rows.length, "case") + " of " + number(report.rows)),
    element("div", { class: "split" + (chosen >= 0 ? " chosen" : "") },
      element("div", {}, heads, list.box), chosen >= 0 ? caseDetail(chosen) : null));
  if (list.box.isConnected) list.show(); else requestAnimationFrame(() => list.show());
  if (!found) report.filterTime = performance.now() - began;
}
