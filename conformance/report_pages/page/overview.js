// The first view: each run, beside the others.

function countsOf(run) {
  const counts = report.verdicts.map(() => 0);
  for (const verdict of run.verdicts) if (verdict !== ABSENT) ++counts[verdict];
  return counts;
}

function countOf(counts, standings) {
  return counts.reduce((sum, n, verdict) => sum + (standings.includes(report.verdicts[verdict][1]) ? n : 0), 0);
}

const REFUSED = "refused";

/** Those that the backend was asked about, and those of them that conform. */
function askedOf(counts) {
  const refused = counts[report.verdicts.findIndex((v) => v[0] === REFUSED)];
  return { asked: countOf(counts, [0, 1, 2, 3]) - refused, good: countOf(counts, [0]), open: countOf(counts, [3]) - refused, refused };
}

function stateOf(run) {
  if (!run.partial) return null;
  return element("p", { class: "warning" }, element("strong", {}, "Partial run: "), run.missing + ". Its numbers are of the cases that are here.");
}

function runCard(run) {
  const counts = countsOf(run), { asked, good, open, refused } = askedOf(counts);
  const bad = countOf(counts, [1]), broken = countOf(counts, [2]);
  const fails = [bad ? number(bad) + (bad === 1 ? " fails" : " fail") : "", broken ? number(broken) + " broken" : ""].filter(Boolean).join(", ");
  return element("section", { class: "card", "aria-label": runName(run) },
    element("h2", {}, run.backend),
    element("div", { class: "soft" }, run.file),
    stateOf(run),
    element("p", { class: "figure " + (fails ? "bad" : good ? "good" : "open") }, fails || (good ? "Nothing fails" : "Nothing judged")),
    stackedBar([{ count: good, className: "good" }, { count: bad, className: "bad" }, { count: broken, className: "broken" }, { count: open, className: "open" }],
      good + " conform, " + bad + " fail, " + broken + " broken, " + open + " not judged"),
    element("ul", { class: "key" }, ...[["good", good, "conform"], ["bad", bad, "fail"], ["broken", broken, "broken"], ["open", open, "unsupported or unjudged"]]
      .filter(([, n]) => n > 0).map(([name, n, words]) => element("li", { class: name }, element("i", {}), number(n) + " " + words))),
    element("p", {}, "Of " + counted(asked, "case") + (refused ? "; the verifier refused " + counted(refused, "invalid program") + " more" : "") + "."),
    element("p", { class: "soft" }, [...[["profile", "profile"], ["assay", "version"]].filter(([, key]) => run[key]).map(([word, key]) => word + " " + run[key]),
      ...(run.build ? ["build " + run.build.substring(0, 12), "cases " + run.manifest.substring(0, 12)] : [])].join(" · ")),
    run.command ? copyable(run.command) : null);
}

function verdictTable() {
  const counts = report.runs.map(countsOf);
  const rows = report.verdicts.map(([name, standing], verdict) => ({ name, standing, verdict }))
    .filter(({ verdict }) => counts.some((c) => c[verdict] > 0))
    .sort((a, b) => a.standing - b.standing)
    .map(({ name, standing, verdict }) => [element("span", { class: STANDINGS[standing] }, name),
      ...report.runs.map((run, r) => numberLink(counts[r][verdict], { run: run.index, verdict: name })), element("span", { class: "soft" }, MEANINGS[name] || "")]);
  return plainTable("Each number leads to its cases.", ["verdict", ...report.runs.map(runName), "means"], rows);
}

/** Operations with the most cases that fail. */
function worstOperations() {
  const operations = new Map();
  for (const run of report.runs) {
    for (let row = 0; row < report.rows; ++row) {
      const standing = standingOf(run, row);
      if (standing !== 1 && standing !== 2) continue;
      const name = report.families.list[report.families.ofRow[row]].operation;
      if (!operations.has(name)) operations.set(name, report.runs.map(() => 0));
      ++operations.get(name)[run.index];
    }
  }
  return failureTable("What fails, by operation", "operation", "Cases that fail or are broken.", operations,
    (name, run) => ({ run, text: name + "/*", standing: "fails" }));
}

// As spec/conformance.md says it.
const MEANINGS = {
  conforms: "every element of the result is in the set that the operation allows",
  "rejected-rightly": "the program breaks a rule, and the backend named that rule",
  refused: "the program breaks a rule, and the verifier named it before any backend was asked",
  differs: "an element is outside of its set", "wrong-shape": "a result has another shape, layout or size",
  "rejected-wrongly": "a valid program was refused, or an invalid one for another rule", "accepted-wrongly": "an invalid program ran",
  missing: "not supported, though it is required", unsupported: "the backend says that it cannot run the program",
  unjudged: "nothing of the result is specified", error: "the harness or the backend could not finish",
  crashed: "the backend died, or did not answer in time",
};

function warnings() {
  const list = [];
  for (const run of report.runs) for (const problem of run.problems) list.push(problem);
  const known = report.runs.filter((r) => r.manifest);
  const other = known.filter((r) => r.manifest !== known[0].manifest);
  if (other.length) list.push(other.map(runName).join(", ") + (other.length === 1 ? " was" : " were") + " judged by other cases than " + runName(known[0]) + ": another tier, or other case files.");
  const profiles = new Set(report.runs.map((r) => r.profile).filter(Boolean));
  if (profiles.size > 1) list.push("The runs were judged by different profiles: " + [...profiles].join(", ") + ".");
  return list.map((text) => element("p", { class: "warning" }, text));
}

function overview() {
  return element("div", {}, ...warnings(),
    element("div", { class: "cards" }, ...report.runs.map(runCard)),
    element("h2", {}, "Verdicts"), verdictTable(), reasonSection(), worstOperations(),
    element("h2", {}, "How close"), element("p", { class: "soft" }, "Cases by their worst element; heights are square roots of the numbers. A bar leads to its cases."),
    element("div", { class: "plots" }, ...report.runs.flatMap((run) => [ulpsHistogram(run), sharesHistogram(run)]).filter(Boolean)),
    sweepSection());
}
