// Pictures: SVG made here.

/** Bars, each { label, count, href, className }; every bar leads to its cases. */
function histogram(title, bars) {
  const width = 46, height = 120, top = 18, most = Math.max(1, ...bars.map((b) => b.count));
  const total = bars.length * width;
  const drawn = bars.map((bar, i) => {
    // The root keeps the few beside the many visible.
    const size = bar.count === 0 ? 0 : Math.max(2, Math.sqrt(bar.count / most) * height);
    const x = i * width, y = top + height - size;
    return svgElement("a", bar.count ? { href: bar.href, "aria-label": bar.label + ": " + counted(bar.count, "case") } : {},
      svgElement("rect", { class: "bar " + (bar.className || ""), x: x + 5, y, width: width - 10, height: size }),
      svgElement("text", { x: x + width / 2, y: y - 4, "text-anchor": "middle" }, bar.count ? short(bar.count) : ""),
      svgElement("text", { x: x + width / 2, y: top + height + 14, "text-anchor": "middle" }, bar.label));
  });
  return element("figure", { style: "margin:0 0 12px;overflow-x:auto" },
    element("figcaption", {}, title),
    svgElement("svg", { width: total, height: top + height + 22, role: "group", "aria-label": title },
      svgElement("line", { class: "axis", x1: 0, x2: total, y1: top + height, y2: top + height }), ...drawn));
}

function short(n) {
  if (n < 10000) return String(n);
  return n < 1e6 ? Math.floor(n / 1000) + "k" : (Math.floor(n / 1e5) / 10) + "M";
}

/** One bar in parts, each { count, className }. */
function stackedBar(parts, label) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  let x = 0;
  const drawn = parts.filter((part) => part.count > 0).map((part) => {
    // What is there is seen, however few it is.
    const width = Math.max(0.8, 100 * part.count / total);
    const made = svgElement("rect", { class: part.className, x: Math.min(x, 99.2), y: 0, width, height: 10 });
    x += width;
    return made;
  });
  return svgElement("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", width: "100%", height: 12, role: "img", "aria-label": label }, ...drawn);
}

/** The largest distances of cases: 0, 1, 2, to 4, to 8, ... */
function ulpsHistogram(run) {
  const limits = [[0, 0], [1, 1], [2, 2], [3, 4], [5, 8], [9, 16], [17, 64], [65, 1024], [1025, 65536], [65537, Infinity]];
  const counts = limits.map(() => 0);
  let nan = 0;
  for (let row = 0; row < report.rows; ++row) {
    if (run.elements[row] === 0) continue;
    if (run.ulps[row] === "nan") { ++nan; continue; }
    const ulps = Number(run.ulps[row]);
    ++counts[limits.findIndex(([, high]) => ulps <= high)];
  }
  const bars = limits.map(([low, high], i) => ({
    label: low === high ? String(low) : high === Infinity ? "> 65k" : "≤ " + short(high), count: counts[i],
    href: address("cases", { run: run.index, ulps: low + ".." + high }) }));
  bars.push({ label: "NaN", count: nan, className: "bad", href: address("cases", { run: run.index, ulps: "nan" }) });
  return histogram(named(runName(run)) + "distance from the reference, in ulp", bars);
}

/** The largest shares of the way to the end of a set. */
function sharesHistogram(run) {
  const counts = new Array(12).fill(0);
  for (let row = 0; row < report.rows; ++row) {
    if (run.shares[row] !== "") ++counts[shareBucket(run.shares[row])];
  }
  if (counts.every((n) => n === 0)) return null;
  const bars = counts.map((count, i) => ({
    label: i === 0 ? "0" : i === 11 ? "> 1" : "≤ " + (i / 10), count, className: i === 11 ? "bad" : "",
    href: address("cases", { run: run.index, share: i }) }));
  return histogram(named(runName(run)) + "share of the way from the reference to the end of the set", bars);
}

/** The plots of sweeps. A picture runs nothing, whatever is in it. */
function sweepSection() {
  if (report.figures.length === 0) return null;
  return element("section", {}, element("h2", {}, "Sweeps"),
    element("p", { class: "soft" }, "Errors in units in the last place: the largest over the operands, and how many there are of each size."),
    ...report.figures.map((figure) => element("figure", { class: "sweep" }, element("figcaption", {}, figure.title),
      element("img", { alt: figure.title, src: "data:image/svg+xml," + encodeURIComponent(figure.svg) }),
      element("details", {}, element("summary", {}, "In words"), element("pre", { tabindex: "0" }, figure.text)))));
}

/** 0 for none, 1 to 10 for each tenth, 11 beyond the end. */
function shareBucket(share) {
  return Math.min(11, Math.ceil(Number(share) * 10));
}
