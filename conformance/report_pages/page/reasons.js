// Failures that are alike, so that a person looks at each kind once.

const MOST_REASONS = 12;

/** What the failure of the row is like: cases with one text are alike. */
function reasonOf(run, row) {
  const detail = run.details.get(row), verdict = verdictName(run, row);
  if (!detail) return verdict;
  if (!detail[4]) {
    const message = report.texts[detail[2]];
    // Shapes and numbers differ where the cause is the same.
    return verdict + ": " + beginningOf(message.replace(/\[[^\]]*\]|\{[^}]*\}/g, "[…]").replace(/\d+/g, "#"));
  }
  return verdict + ": " + kindOfDifference(detail[4]);
}

/** The first words of a message; what is left out is marked. */
function beginningOf(message) {
  const most = 160;
  const words = message.length <= most ? message : message.substring(0, most).replace(/\s+\S*$/, "") + " …";
  return words.replace(/[:\s]+$/, "");
}

function kindOfDifference([, , , type, reference, actual, ulps]) {
  const isNan = (text) => /^\(?-?nan|, -?nan/.test(text);
  if (isNan(actual) !== isNan(reference)) return isNan(actual) ? "NaN, where the reference is a number" : "a number, where the reference is NaN";
  if (/^-?0 =/.test(actual) && !/^-?0 =/.test(reference)) return "zero, where the reference is not";
  if (/^-?0 =/.test(actual) && /^-?0 =/.test(reference)) return "the other zero";
  if (ulps === "") return "another value";
  const distance = Math.abs(Number(ulps));
  const isFloat = /^(f|bf|c)\d/.test(type);
  const unit = isFloat ? " ulp" : "";
  return (isFloat ? "" : "an integer ") + (distance <= 1 ? "1" + unit + " away" : distance <= 16 ? "2 to 16" + unit + " away" : distance <= 65536 ? "17 to 65,536" + unit + " away" : "more than 65,536" + unit + " away");
}

/** The kinds of failures of all runs: how many cases, by run. */
function reasons() {
  const kinds = new Map();
  for (const run of report.runs) {
    for (let row = 0; row < report.rows; ++row) {
      const standing = standingOf(run, row);
      if (standing !== 1 && standing !== 2) continue;
      const reason = reasonOf(run, row);
      if (!kinds.has(reason)) kinds.set(reason, report.runs.map(() => 0));
      ++kinds.get(reason)[run.index];
    }
  }
  return kinds;
}

function reasonSection() {
  return failureTable("What fails, by kind", "kind", "Failures with like messages, or like distances, are one kind.", reasons(),
    (reason, run) => ({ run, reason, standing: "fails" }));
}

/** Names with counts by run, those with the most first. */
function failureTable(title, head, caption, counts, values) {
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const sorted = [...counts].sort((a, b) => sum(b[1]) - sum(a[1]) || (a[0] < b[0] ? -1 : 1));
  if (sorted.length === 0) return null;
  const rest = sorted.length > MOST_REASONS ? ": the first " + MOST_REASONS + " of " + sorted.length : "";
  return element("section", {}, element("h2", {}, title + rest),
    plainTable(caption, [head, ...report.runs.map(runName)], sorted.slice(0, MOST_REASONS)
      .map(([name, list]) => [element("span", { class: "long" }, name), ...list.map((n, run) => numberLink(n, values(name, run)))])));
}
