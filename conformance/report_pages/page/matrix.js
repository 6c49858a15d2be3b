// Operations by types, coloured by the strictest level that all cases pass.

/** For each family what its cases in the run come to. */
function familyTotals(run) {
  const totals = report.families.list.map(() => ({ cases: 0, good: 0, bad: 0, broken: 0, open: 0, level: -1 }));
  for (let row = 0; row < report.rows; ++row) {
    const standing = standingOf(run, row);
    // What the verifier refused no backend was asked about.
    if (standing === 4 || verdictName(run, row) === REFUSED) continue;
    const total = totals[report.families.ofRow[row]];
    ++total.cases;
    ++total[STANDINGS[standing]];
    const level = run.levels[row];
    if (level !== NO_LEVEL && level > total.level) total.level = level;
  }
  return totals;
}

function levelName(level) {
  return level < report.levels.length ? report.levels[level][0] : "none of the levels";
}

/** The text, the class and the words of a part of a cell. */
function cellPart(total) {
  if (!total || total.cases === 0) return ["", "sabsent", "no case"];
  const of = " of " + counted(total.cases, "case");
  if (total.bad > 0) return ["✗" + total.bad, "sbad", number(total.bad) + of + (total.bad === 1 ? " fails" : " fail")];
  if (total.broken > 0) return ["!" + total.broken, "sbroken", number(total.broken) + of + " broken"];
  if (total.good === 0) return ["–", "sopen", "not supported or not judged"];
  const some = total.open > 0 ? " some" : "", words = total.open > 0 ? ", " + number(total.open) + of + " not supported or judged" : "";
  if (total.level < 0) return ["✓", "sgood" + some, "conforms" + words];
  const none = total.level >= report.levels.length;
  return [none ? "✓" : String(total.level), (none ? "none" : "l" + total.level) + some, "strictest level passed: " + levelName(total.level) + words];
}

function matrixCell(family, parts) {
  const words = family.name + ": " + parts.map((part, i) => (parts.length > 1 ? named(runName(report.runs[part.run])) : "") + part.says[2]).join("; ");
  const spans = parts.map(({ says }) => element("span", { class: says[1] }, says[0]));
  const values = parts.length === 1 ? { run: parts[0].run, text: family.name + "/*" } : { text: family.name + "/*" };
  return element("a", { class: "cell", href: address("cases", values), title: words, "aria-label": words }, ...spans);
}

function legend() {
  const entry = (text, className, words) => element("li", {}, element("span", { class: className }, text), words);
  const levels = report.runs.some((run) => run.levels.some((level) => level !== NO_LEVEL));
  return element("ul", { class: "legend", "aria-label": "Legend" },
    ...(levels ? report.levels.map(([name], rank) => entry(String(rank), "l" + rank, name)) : []),
    levels ? entry("✓", "none", "conforms, but passes no level") : null,
    entry("✓", "sgood", levels ? "conforms; has no level" : "conforms (--levels finds the strictest level)"),
    entry("✗3", "sbad", "3 cases fail"), entry("!3", "sbroken", "3 are broken: no answer"), entry("–", "sopen", "all are unsupported or unjudged"),
    entry("0", "l0 some", "underlined: some are"));
}

function matrixTable(runs, wanted) {
  const totals = new Map(runs.map((run) => [run, familyTotals(run)]));
  const operations = new Map(), types = new Set();
  report.families.list.forEach((family, f) => {
    const parts = runs.map((run) => ({ run: run.index, says: cellPart(totals.get(run)[f]) }));
    if (parts.every((part) => part.says[1] === "sabsent") || !wanted(family, parts)) return;
    types.add(family.type);
    if (!operations.has(family.operation)) operations.set(family.operation, new Map());
    operations.get(family.operation).set(family.type, matrixCell(family, parts));
  });
  const columns = [...types].sort(byType);
  const head = element("tr", {}, element("th", { scope: "col" }, "operation"), ...columns.map((type) => element("th", { scope: "col" }, element("span", { class: "upright" }, type || "any"))));
  const body = [...operations].map(([operation, cells]) => element("tr", {}, element("th", { scope: "row" }, operation),
    ...columns.map((type) => element("td", {}, cells.get(type) || ""))));
  return { rows: operations.size, table: element("div", { class: "matrix", tabindex: "0", role: "region", "aria-label": "Operations by types" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body))) };
}

// What most programs compute with comes first.
const FIRST_TYPES = ["f32", "bf16", "f16", "f64", "c64", "c128", "pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"];

function byType(a, b) {
  const key = (type) => {
    const first = FIRST_TYPES.indexOf(type);
    if (first >= 0) return first;
    return FIRST_TYPES.length + (/^[su]\d/.test(type) ? 0 : /^f\d/.test(type) ? 1 : 2);
  };
  return key(a) - key(b) || (a < b ? -1 : 1);
}

function matrix(values) {
  const chosen = values.get("run") || "all";
  const runs = chosen === "all" ? report.runs : report.runs.filter((run) => String(run.index) === chosen);
  const text = (values.get("text") || "").toLowerCase(), failing = values.get("standing") === "fails";
  const go = (change) => { location.hash = address("matrix", { ...Object.fromEntries(values), ...change }); };
  const { rows, table } = matrixTable(runs, (family, parts) => family.name.includes(text) && (!failing || parts.some((p) => p.says[1] === "sbad" || p.says[1] === "sbroken")));
  return element("div", {},
    element("div", { class: "tools" },
      labelled("Operations and types", element("input", { type: "search", id: "find", value: text, placeholder: "f32, add/ …", onchange: (e) => go({ text: e.target.value }) })),
      report.runs.length > 1 ? labelled("Runs", element("select", { id: "which", onchange: (e) => go({ run: e.target.value }) },
        option("all", "all, beside each other", chosen), ...report.runs.map((run) => option(String(run.index), runName(run), chosen)))) : null,
      element("label", { class: "flag" }, element("input", { type: "checkbox", id: "failing", checked: failing, onchange: (e) => go({ standing: e.target.checked ? "fails" : "" }) }), "only what fails")),
    runs.length > 1 ? element("p", { class: "soft" }, "In each cell, from left to right: " + runs.map(runName).join(", ") + ".") : null,
    legend(), rows === 0 ? element("p", {}, "Nothing is like that.") : table);
}
