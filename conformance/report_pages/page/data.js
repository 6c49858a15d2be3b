"use strict";
// The data of the page, decoded (report_data.cc writes it).

const STANDINGS = ["good", "bad", "broken", "open", "absent"];
const ABSENT = 255;
const NO_LEVEL = 255;

/** [value, count, ...] as an array of so many values. */
function expanded(runLengths, rows, Type) {
  const values = new Type(rows);
  for (let i = 0, at = 0; i < runLengths.length; i += 2) {
    values.fill(runLengths[i], at, at + runLengths[i + 1]);
    at += runLengths[i + 1];
  }
  return values;
}

/** Ids, of each of which the first character says how much it shares. */
function decodedIds(text) {
  const ids = [];
  let last = "";
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    last = last.substring(0, text.charCodeAt(at) - 48) + text.substring(at + 1, end);
    ids.push(last);
    at = end + 1;
  }
  return ids;
}

/** Letters from 'a' on as numbers; '.' is `nothing`. */
function decodedLetters(text, nothing) {
  const numbers = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    numbers[i] = code === 46 ? nothing : code - 97;
  }
  return numbers;
}

function decodedRun(run, index, rows) {
  const columns = run.columns;
  return {
    ...run, index,
    verdicts: decodedLetters(columns.verdicts, ABSENT),
    levels: decodedLetters(columns.levels, NO_LEVEL),
    elements: expanded(columns.elements, rows, Float64Array),
    inexact: expanded(columns.inexact, rows, Float64Array),
    outside: expanded(columns.outside, rows, Float64Array),
    empty: expanded(columns.empty, rows, Float64Array),
    ulps: expanded(columns.ulps, rows, Array),
    shares: expanded(columns.shares, rows, Array),
    details: new Map(columns.details.map((d) => [d[0], d])),
  };
}

/** "add/f32" of "add/f32/values". */
function familyOf(id) {
  const first = id.indexOf("/");
  const second = first < 0 ? -1 : id.indexOf("/", first + 1);
  return second < 0 ? id : id.substring(0, second);
}

/** The numbers of the families of all rows, and the families. */
function families(ids) {
  const numbers = new Map(), list = [], ofRow = new Int32Array(ids.length);
  let last = "", number = -1;
  for (let i = 0; i < ids.length; ++i) {
    const id = ids[i];
    const same = number >= 0 && id.startsWith(last) && id.charAt(last.length) === "/";
    if (!same) {
      last = familyOf(id);
      if (!numbers.has(last)) {
        numbers.set(last, list.length);
        const slash = last.indexOf("/");
        list.push({ name: last, operation: slash < 0 ? last : last.substring(0, slash), type: slash < 0 ? "" : last.substring(slash + 1) });
      }
      number = numbers.get(last);
    }
    ofRow[i] = number;
  }
  return { list, ofRow };
}

function decoded(text) {
  const data = JSON.parse(text);
  const rows = data.rows;
  const ids = decodedIds(data.table.ids);
  return {
    ...data, ids,
    families: families(ids),
    files: expanded(data.table.files, rows, Int32Array),
    lines: linesOf(data.table.lines, rows),
    runs: data.runs.map((run, index) => decodedRun(run, index, rows)),
    programs: new Map(data.programs.map((p) => [p[0], p])),
  };
}

function linesOf(steps, rows) {
  const lines = expanded(steps, rows, Int32Array);
  for (let i = 1; i < rows; ++i) lines[i] += lines[i - 1];
  return lines;
}

/** The number of the standing of a row in a run. */
function standingOf(run, row) {
  const verdict = run.verdicts[row];
  return verdict === ABSENT ? 4 : report.verdicts[verdict][1];
}

function verdictName(run, row) {
  const verdict = run.verdicts[row];
  return verdict === ABSENT ? "absent" : report.verdicts[verdict][0];
}

/** The latest run of the backend, up to that one, that tells of the row: what a partial one lacks is not known. */
function tellingRun(run, row) {
  for (let index = run.index; index >= 0; --index) {
    const other = report.runs[index];
    if (other.backend === run.backend && (!other.partial || other.verdicts[row] !== ABSENT)) return other;
  }
  return run;
}

/** What became of the row: a number of report.changeNames. */
function changeOf(first, after, row) {
  const before = tellingRun(first, row), a = standingOf(before, row), b = standingOf(after, row);
  // What a partial run lacks is not known.
  if ((a === 4 && before.partial) || (b === 4 && after.partial)) return CHANGE.same;
  const change = report.changes[a * STANDINGS.length + b];
  if (change !== CHANGE.same || a !== b) return change;
  if (a === 0) {
    const from = before.levels[row], to = after.levels[row];
    if (from === NO_LEVEL || to === NO_LEVEL || from === to) return CHANGE.same;
    return to > from ? CHANGE.laxer : CHANGE.stricter;
  }
  return (a === 1 || a === 2) && !sameFailure(before, after, row) ? CHANGE.other : CHANGE.same;
}

function sameFailure(before, after, row) {
  if (before.verdicts[row] !== after.verdicts[row]) return false;
  const a = before.details.get(row) || [], b = after.details.get(row) || [];
  if (!a[4] !== !b[4]) return false;
  if (!a[4]) return a[2] === b[2];
  return a[4][0] === b[4][0] && a[4][1] === b[4][1] && a[4][5] === b[4][5] && before.outside[row] === after.outside[row];
}

// As change.h has them.
const CHANGE = { other: 2, laxer: 4, stricter: 8, same: 10 };
let report = null;
