// One case: what it is, what each engine gave, and how to see it again.

function shellQuoted(text) {
  return "'" + text.replace(/'/g, "'\\''") + "'";
}

function definition(term, value, className) {
  if (value === "" || value === null || value === undefined) return [];
  return [element("dt", {}, term), element("dd", { class: className }, value)];
}

function engineFacts(run, row) {
  const detail = run.details.get(row) || [], d = detail[4];
  const message = detail[2] === undefined ? "" : report.texts[detail[2]];
  const level = run.levels[row];
  const facts = [...definition("message", message)];
  if (d) {
    facts.push(...definition("element", "{" + d[1] + "} of leaf " + d[0] + ", " + d[3]),
      ...definition("allowed", report.texts[d[2]], "value"), ...definition("reference", d[4], "value"),
      ...definition("it gave", d[5], "value"), ...definition("distance", d[6] ? d[6] + (/^(f|bf|c)\d/.test(d[3]) ? " ulp" : "") : ""));
  }
  if (run.elements[row]) {
    facts.push(...definition("elements", number(run.outside[row]) + " of " + number(run.elements[row]) + " outside of their sets, " + number(run.inexact[row]) + " not the reference's bits"),
      ...definition("largest distance", run.ulps[row] === "nan" ? "NaN against a number" : number(Number(run.ulps[row])) + " ulp"),
      ...definition("share of the bound", run.shares[row]),
      ...definition("strictest level passed", level === NO_LEVEL ? "" : levelName(level)));
  }
  if (run.empty[row]) facts.push(...definition("note", counted(run.empty[row], "element conforms", "elements conform") + " only because the bound says nothing"));
  if (detail[3] >= 0) facts.push(...definition("flaky", "a second run had another outcome: " + report.verdicts[detail[3]][0]));
  return facts;
}

/** The command of the run for one case: of the files that it names, the case's. */
function commandOf(run, row) {
  if (!run.command) return "";
  const parts = /^(assay(?: golden)? check)((?: (?!--)(?:'[^']*'|\\'|[^\s'])+)*)(.*)$/.exec(run.command);
  const file = report.texts[report.files[row]];
  const command = parts && parts[2] && file ? parts[1] + " " + (/^[\w.\/-]+$/.test(file) ? file : shellQuoted(file)) + parts[3] : run.command;
  return command + " --filter " + shellQuoted(report.ids[row]);
}

function engineSection(run, row) {
  const standing = standingOf(run, row);
  const fails = standing === 1 || standing === 2;
  const command = commandOf(run, row);
  return element("section", { class: "engine" },
    element("h3", {}, report.runs.length > 1 ? run.index + 1 + ". " : "", named(runName(run)), element("span", { class: STANDINGS[standing] }, verdictName(run, row)), run.partial ? element("span", { class: "soft" }, " (partial run)") : null),
    element("dl", {}, ...engineFacts(run, row)),
    fails && command ? element("div", {}, element("span", { class: "soft" }, "Reproduce"), copyable(command)) : null,
    fails ? explanation(run, row) : null);
}

/** The commands that explain the first element that is wrong. */
function explanation(run, row) {
  const program = report.programs.get(row), d = (run.details.get(row) || [])[4];
  if (!program || program[4] || !d || !/^HloModule/.test(program[3])) return null;
  const root = /ROOT\s+(%?[\w.-]+)\s*=/.exec(program[3].substring(program[3].lastIndexOf("ENTRY")));
  if (!root) return null;
  const leaf = /ROOT\s+%?[\w.-]+\s*=\s*\(/.test(program[3].substring(program[3].lastIndexOf("ENTRY"))) ? "{" + d[0] + "}" : "";
  const name = root[1].startsWith("%") ? root[1] : "%" + root[1];
  const inputs = program.slice(5).map((input) => " \\\n  -i " + shellQuoted(input)).join("");
  return element("details", {}, element("summary", {}, "Explain this element: where its set comes from"),
    copyable("cat > case.hlo <<'END'\n" + program[3] + "END\nassay explain case.hlo -e " + shellQuoted(name + leaf + "[" + d[1] + "]") + inputs));
}

function programSection(row) {
  const program = report.programs.get(row);
  if (!program) return element("p", { class: "soft" }, "Its program and inputs stand in " + report.texts[report.files[row]] + ", line " + report.lines[row] + ".");
  return element("div", {}, element("h3", {}, "Program"), copyable(program[3]),
    ...program.slice(5).flatMap((input, i) => [element("h3", {}, "Input " + i), element("pre", { tabindex: "0" }, input)]),
    program[4] ? element("p", { class: "soft" }, "Long texts are cut; the file has them whole.") : null);
}

/** Runs of a backend in a row in which the case is the same. */
function historyOf(row, all) {
  const spans = [], runs = all.filter((run) => !run.partial || run.verdicts[row] !== ABSENT);
  runs.forEach((run, i) => {
    if (i > 0 && changeOf(runs[i - 1], run, row) === CHANGE.same) spans[spans.length - 1].last = run;
    else spans.push({ first: run, last: run, change: i > 0 ? changeOf(runs[i - 1], run, row) : CHANGE.same, count: 0 });
    ++spans[spans.length - 1].count;
  });
  return element("ol", {}, ...spans.map((span) => element("li", {},
    element("span", { class: STANDINGS[standingOf(span.first, row)] }, verdictName(span.first, row)),
    span.change === CHANGE.same ? "" : " (" + report.changeNames[span.change][0] + ")",
    " in " + fileName(span.first) + (span.count > 1 ? " to " + fileName(span.last) + ", " + counted(span.count, "run") : ""))));
}

function historySection(row) {
  const backends = [...new Set(report.runs.map((run) => run.backend))];
  const lists = backends.map((backend) => [backend, report.runs.filter((run) => run.backend === backend)]).filter(([, runs]) => runs.length > 1);
  if (lists.length === 0) return null;
  return element("div", {}, element("h3", {}, "History"), ...lists.flatMap(([backend, runs]) => [element("span", { class: "soft" }, backend), historyOf(row, runs)]));
}

/** The runs, those in which the case fails before the others. */
function failingFirst(row) {
  const fails = (run) => [1, 2].includes(standingOf(run, row));
  return [...report.runs.filter(fails), ...report.runs.filter((run) => !fails(run))];
}

function caseDetail(row) {
  const program = report.programs.get(row);
  const details = report.runs.map((run) => run.details.get(row)).filter(Boolean);
  const stated = program ? program[1] : details.map((d) => report.texts[d[1]]).find(Boolean);
  return element("article", { class: "case", "aria-label": report.ids[row], id: "case", tabindex: "-1" },
    element("h2", {}, report.ids[row]),
    stated ? element("p", {}, stated + (program && program[2] ? " (" + program[2] + ")" : "")) : null,
    element("p", { class: "soft" }, report.texts[report.files[row]] + ":" + report.lines[row]),
    ...failingFirst(row).map((run) => engineSection(run, row)),
    historySection(row), programSection(row));
}
