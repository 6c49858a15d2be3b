// Two runs against each other, what needs a person first; and runs in a row.

/** The last two runs of a backend that has two; else the first two runs. */
function defaultPair() {
  for (let after = report.runs.length - 1; after > 0; --after) {
    for (let before = after - 1; before >= 0; --before) {
      if (report.runs[before].backend === report.runs[after].backend) return [before, after];
    }
  }
  return [0, 1];
}

function changedRows(before, after) {
  const kinds = report.changeNames.map(() => []);
  for (let row = 0; row < report.rows; ++row) kinds[changeOf(before, after, row)].push(row);
  return kinds;
}

function kindSection(kind, rows, before, after) {
  const most = 50, [name, meaning] = report.changeNames[kind];
  const values = { change: kind, before: before.index, after: after.index };
  const line = (row) => [element("a", { href: address("cases", { ...values, case: report.ids[row] }) }, report.ids[row]),
    element("span", { class: STANDINGS[standingOf(tellingRun(before, row), row)] }, stateWithLevel(tellingRun(before, row), row)), element("span", { class: STANDINGS[standingOf(after, row)] }, stateWithLevel(after, row))];
  return element("section", {}, element("h2", {}, name + ": ", numberLink(rows.length, values)),
    plainTable("A case that " + meaning + ".", ["case", "before", "after"], rows.slice(0, most).map(line)),
    rows.length > most ? element("p", {}, element("a", { href: address("cases", values) }, "all " + number(rows.length))) : null);
}

function stateWithLevel(run, row) {
  const level = run.levels[row];
  if (level === NO_LEVEL) return stateText(run, row);
  if (standingOf(run, row) === 0) return stateText(run, row) + ", " + levelName(level);
  return stateText(run, row) + (level < report.levels.length ? ", but passes " + levelName(level) : "");
}

function changes(values) {
  const pair = defaultPair();
  const index = (key, i) => { const n = Number(values.get(key) ?? pair[i]); return report.runs[n] ? n : pair[i]; };
  const before = report.runs[index("before", 0)], after = report.runs[index("after", 1)];
  const go = (change) => { location.hash = address("changes", { before: before.index, after: after.index, ...change }); };
  const choice = (id, label, run, key) => labelled(label, element("select", { id, onchange: (e) => go({ [key]: e.target.value }) },
    ...report.runs.map((r) => option(String(r.index), runName(r), String(run.index)))));
  const kinds = changedRows(before, after), same = kinds[CHANGE.same].length;
  const sections = kinds.map((rows, kind) => (kind === CHANGE.same || rows.length === 0 ? null : kindSection(kind, rows, before, after))).filter(Boolean);
  const partial = [before, after].filter((run) => run.partial).map((run) => element("p", { class: "warning" }, runName(run) + " is a partial run: of cases that are not in it counts what the runs of the backend before it tell."));
  const engines = before.backend === after.backend ? null : element("p", { class: "soft" }, "Two engines: “before” and “now” are the first and the second of them.");
  return element("div", {}, element("div", { class: "tools" }, choice("before", "Before", before, "before"), choice("after", "After", after, "after")),
    engines, ...partial, element("p", {}, counted(same, "case is", "cases are") + " as before" + (sections.length ? "." : ": nothing changed.")), ...sections, trend());
}

/** Each run of the backends that have several, and what changed in it. */
function trend() {
  const rows = [];
  for (const run of report.runs) {
    const earlier = report.runs.filter((r) => r.backend === run.backend && r.index < run.index).pop();
    if (!earlier && !report.runs.some((r) => r.backend === run.backend && r !== run)) continue;
    const counts = countsOf(run), { asked, good } = askedOf(counts);
    const kinds = earlier ? changedRows(earlier, run) : null;
    const changed = kinds ? kinds.map((r, kind) => (kind === CHANGE.same || r.length === 0 ? null : element("a", { href: address("cases", { change: kind, before: earlier.index, after: run.index }), style: "margin-right:10px" }, number(r.length) + " " + report.changeNames[kind][0]))).filter(Boolean) : [];
    rows.push([fileName(run), run.backend, asked, good, countOf(counts, [1, 2]), kinds ? element("span", {}, ...(changed.length ? changed : ["nothing changed"])) : "the first"]);
  }
  if (rows.length < 2) return null;
  return element("section", {}, element("h2", {}, "Runs in a row"), plainTable("In the order of the files.", ["run", "backend", "cases", "conform", "fail", "since the one before"], rows));
}
