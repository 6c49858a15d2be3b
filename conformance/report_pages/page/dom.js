// Elements, links and small pieces that all views use. Texts become text nodes:
// nothing that an event says is ever read as HTML.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  return filled(made, attributes, children);
}

function svgElement(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) made.addEventListener(name.substring(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((c) => c !== null && c !== undefined));
  return made;
}

/** The address of a view of this page. */
function address(view, values) {
  const query = new URLSearchParams(values).toString();
  return "#" + view + (query ? "?" + query : "");
}

/** "cpu: 3" of cpu: and 3, "mutant:carry: 3" of mutant:carry. */
function named(name) {
  return name.endsWith(":") ? name + " " : name + ": ";
}

function number(n) {
  return n.toLocaleString("en-US");
}

/** A number that leads to its cases. */
function numberLink(n, values) {
  if (n === 0) return element("span", { class: "soft", "data-number": "" }, "0");
  return element("a", { href: address("cases", values), "data-number": "" }, number(n));
}

function counted(n, one, many) {
  return number(n) + " " + (n === 1 ? one : many || one + "s");
}

function copyable(text) {
  const button = element("button", { type: "button", onclick: () => copy(text, button) }, "Copy");
  return element("div", { class: "copied" }, element("pre", { tabindex: "0" }, text), button);
}

function copy(text, button) {
  const area = element("textarea", {}, text);
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  button.textContent = done ? "Copied" : "Select it by hand";
  button.focus();
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function option(value, text, chosen) {
  return element("option", { value, selected: value === chosen }, text);
}

function labelled(text, control) {
  return element("label", {}, text, control);
}

/** The name of the file of the run, with its folder only where it needs that. */
function fileName(run) {
  const last = (file) => file.substring(file.lastIndexOf("/") + 1);
  const alike = report.runs.filter((r) => last(r.file) === last(run.file));
  return alike.length > 1 ? run.file : last(run.file);
}

function runName(run) {
  const alike = report.runs.filter((r) => r.backend === run.backend);
  return alike.length > 1 ? run.backend + " (" + fileName(run) + ")" : run.backend;
}

/** Rows of a table with headings; a cell is a node, a text or a number. */
function plainTable(caption, heads, rows) {
  return element("div", { class: "wide" }, element("table", { class: "plain" },
    element("caption", { class: "soft", style: "text-align:left" }, caption),
    element("thead", {}, element("tr", {}, ...heads.map((h, i) => element("th", { scope: "col", class: numeric(rows, i) ? "number" : undefined }, h)))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {},
      ...cells.map((c, i) => element(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : undefined, class: numeric(rows, i) ? "number" : undefined }, typeof c === "number" ? number(c) : c)))))));
}

/** Whether the column has numbers, or links of numbers. */
function numeric(rows, column) {
  return rows.every((cells) => typeof cells[column] === "number" || cells[column].dataset?.number !== undefined);
}
