// Badges, and which view is shown: the address behind # says it.

function badges() {
  return element("div", {}, element("p", {}, "Pictures for a README. Save the picture beside it, or use ", element("code", {}, "assay report EVENTS --badge assay.svg"), " in CI."),
    ...report.runs.flatMap((run) => [element("h2", {}, runName(run)),
      element("p", {}, element("img", { alt: "assay " + run.backend, src: "data:image/svg+xml," + encodeURIComponent(run.badge) })),
      element("h3", {}, "Markdown"), copyable("![assay " + run.backend.replace(/[[\]]/g, "") + "](assay.svg)"),
      element("h3", {}, "The picture, assay.svg"), copyable(run.badge)]));
}

const VIEWS = { overview: ["Overview", overview], matrix: ["Matrix", matrix], cases: ["Cases", cases], changes: ["Changes", changes], badges: ["Badges", badges] };

function place() {
  const [view, query] = location.hash.substring(1).split(/\?(.*)/s);
  return [view in VIEWS ? view : "overview", new URLSearchParams(query || "")];
}

/** The control with this id and its selection survive a new view. */
function show() {
  const [view, values] = place();
  const focused = document.activeElement && document.activeElement.id;
  const scrolled = document.getElementById("list")?.scrollTop;
  document.getElementById("views").replaceChildren(...Object.entries(VIEWS)
    .filter(([name]) => name !== "changes" || report.runs.length > 1)
    .map(([name, [title]]) => element("a", { href: "#" + name, "aria-current": name === view ? "page" : undefined }, title)));
  document.getElementById("main").replaceChildren(VIEWS[view][1](values));
  const list = document.getElementById("list");
  if (list && values.has("case") && scrolled !== undefined) list.scrollTop = scrolled;
  const control = focused && document.getElementById(focused);
  if (control) control.focus();
  document.title = "Assay: " + report.runs.map((run) => run.backend).join(", ");
}

function start() {
  try {
    report = decoded(document.getElementById("data").textContent);
    report.decodedAt = performance.now();
    document.getElementById("notice").textContent = "";
    document.getElementById("data").remove();
    show();
    report.shownAt = performance.now();
  } catch (error) {
    document.getElementById("notice").textContent = "The page could not show its data: " + error;
    throw error;
  }
  addEventListener("hashchange", show);
}

// The head of the page is painted first; a page that nobody sees is not painted.
let started = false;
function startOnce() {
  if (!started) start();
  started = true;
}
requestAnimationFrame(() => setTimeout(startOnce, 0));
setTimeout(startOnce, 100);
