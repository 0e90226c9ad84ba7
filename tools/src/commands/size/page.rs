//! An HTML page that shows a tree of sizes as a map, in which each part's area is proportional to
//! its size.

use serde_json::{Value, json};

/// The number of symbols that the page lists; the others are summed.
const MOST_SYMBOLS: usize = 20_000;

/// Returns the page, which is self-contained. `symbols` are the largest first.
pub(super) fn page(name: &str, tree: &Value, symbols: &[(String, u64)]) -> String {
    // Within a script element, only `<` could end it.
    let script = |value: &Value| value.to_string().replace('<', "\\u003c");
    let title: String = name
        .chars()
        .map(|c| match c {
            '<' => "&lt;".to_owned(),
            '&' => "&amp;".to_owned(),
            c => c.to_string(),
        })
        .collect();
    let (listed, others) = symbols.split_at(symbols.len().min(MOST_SYMBOLS));
    let mut listed: Vec<Value> = listed
        .iter()
        .map(|(name, bytes)| json!([name, bytes]))
        .collect();
    if !others.is_empty() {
        let bytes: u64 = others.iter().map(|(_, bytes)| bytes).sum();
        listed.push(json!([format!("{} other symbols", others.len()), bytes]));
    }
    PAGE.replace("{{title}}", &title)
        .replace("{{symbols}}", &script(&Value::Array(listed)))
        .replace("{{data}}", &script(tree))
}

const PAGE: &str = r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{title}}</title>
<style>
  :root { color-scheme: light dark; --back: #fff; --text: #222; --soft: #666; --line: #ccc; --link: #0645ad; --mark: #b35900; }
  @media (prefers-color-scheme: dark) {
    :root { --back: #1b1b1d; --text: #e6e6e6; --soft: #a0a0a0; --line: #444; --link: #8ab4f8; --mark: #ffb454; }
  }
  html, body { margin: 0; height: 100%; font: 13px/1.3 system-ui, sans-serif; background: var(--back); color: var(--text); }
  body { display: flex; flex-direction: column; }
  header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--line); }
  button { font: inherit; border: 0; background: none; color: var(--link); cursor: pointer; padding: 0; }
  button:focus-visible, .part:focus-visible, input:focus-visible { outline: 3px solid var(--mark); outline-offset: -3px; z-index: 2; }
  #size, #legend { color: var(--soft); }
  #legend i { display: inline-block; width: 10px; height: 10px; margin: 0 4px 0 10px; border: 1px solid var(--line); }
  #find { margin-left: auto; font: inherit; padding: 2px 6px; width: 16em; }
  #map { position: relative; flex: 1; overflow: hidden; min-height: 120px; }
  .part { position: absolute; box-sizing: border-box; border: 1px solid var(--back); overflow: hidden; color: #111; }
  .part.more { cursor: zoom-in; }
  .part:hover { outline: 2px solid var(--text); outline-offset: -2px; z-index: 1; }
  .part.dim { opacity: 0.25; }
  .part b { display: block; padding: 2px 4px; font-weight: 600; white-space: nowrap; text-overflow: ellipsis; overflow: hidden; }
  #list { max-height: 40%; overflow: auto; border-top: 1px solid var(--line); }
  table { border-collapse: collapse; width: 100%; }
  th { position: sticky; top: 0; background: var(--back); text-align: left; }
  td, th { padding: 2px 12px; }
  td:first-child, th:first-child { text-align: right; width: 8em; font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
<header>
  <nav id="path" aria-label="Path"></nav>
  <span id="size" role="status" aria-live="polite"></span>
  <span id="legend" aria-label="Legend"></span>
  <input id="find" type="search" placeholder="Search parts and symbols (/)" aria-label="Search parts and symbols">
</header>
<div id="map" role="tree" aria-label="Map of sizes: areas are proportional to bytes"></div>
<div id="list" hidden>
  <table aria-label="Symbols">
    <thead><tr><th><button data-key="1">bytes</button></th><th><button data-key="0">symbol</button></th></tr></thead>
    <tbody id="rows"></tbody>
  </table>
</div>
<script>
"use strict";
const tree = {{data}};
const symbols = {{symbols}};
const ROWS = 200;
let path = [tree], wanted = "", order = 1;
const $ = id => document.getElementById(id);

function bytes(n) {
  if (n < 10240) return n + " B";
  if (n < 10485760) return (n / 1024).toFixed(1) + " KiB";
  return (n / 1048576).toFixed(1) + " MiB";
}
const share = n => (100 * n / Math.max(tree.bytes, 1)).toFixed(2) + " %";

// A colour for each name, the same wherever the name stands.
function colour(name, depth) {
  let hash = 7;
  for (const c of name) hash = (hash * 31 + c.codePointAt(0)) % 360;
  return `hsl(${hash} 45% ${Math.min(62 + depth * 9, 88)}%)`;
}

// Squarified: rows are filled along the shorter side as long as that makes their parts squarer.
function layout(parts, x, y, w, h) {
  const out = [];
  let rest = parts.filter(p => p.bytes > 0);
  let total = rest.reduce((sum, p) => sum + p.bytes, 0);
  while (rest.length && w > 0 && h > 0) {
    const side = Math.min(w, h), area = w * h / total;
    let row = [], sum = 0, worst = Infinity, most = 0, least = Infinity;
    for (const part of rest) {
      const s = (sum + part.bytes) * area, a = part.bytes * area;
      const high = Math.max(most, a), low = Math.min(least, a);
      const ratio = Math.max(side * side * high / (s * s), s * s / (side * side * low));
      if (ratio > worst) break;
      worst = ratio; most = high; least = low; row.push(part); sum += part.bytes;
    }
    const thick = sum * area / side;
    let at = 0;
    for (const part of row) {
      const len = part.bytes * area / thick;
      out.push(w >= h ? { part, x, y: y + at, w: thick, h: len } : { part, x: x + at, y, w: len, h: thick });
      at += len;
    }
    if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
    rest = rest.slice(row.length); total -= sum;
  }
  return out;
}

const matches = name => name.toLowerCase().includes(wanted);
const within = node => matches(node.name) || node.parts.some(within);

function draw(into, node, trail, x, y, w, h, depth) {
  for (const r of layout(node.parts, x, y, w, h)) {
    if (r.w < 2 || r.h < 2) continue;
    const to = [...trail, r.part], nested = r.part.parts.length > 0;
    const box = document.createElement("div");
    box.className = "part" + (nested ? " more" : "") + (wanted && !within(r.part) ? " dim" : "");
    Object.assign(box.style, { left: r.x + "px", top: r.y + "px", width: r.w + "px", height: r.h + "px", background: colour(r.part.name, depth) });
    const text = to.slice(1).map(p => p.name).join(" / ") + ", " + bytes(r.part.bytes) + ", " + share(r.part.bytes);
    box.title = text;
    box.setAttribute("role", "treeitem");
    box.setAttribute("aria-label", text);
    box.setAttribute("aria-level", depth + 1);
    if (nested) box.setAttribute("aria-expanded", depth < 2);
    box.tabIndex = 0;
    if (r.w > 30 && r.h > 16) {
      const label = document.createElement("b");
      label.textContent = r.part.name + " " + bytes(r.part.bytes);
      box.append(label);
    }
    const open = event => {
      event.stopPropagation();
      if (nested) go(to); else $("size").textContent = text;
    };
    box.addEventListener("click", open);
    box.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(event); } });
    into.append(box);
    if (nested && depth < 2 && r.w > 40 && r.h > 40) draw(box, r.part, to, 2, 20, r.w - 6, r.h - 24, depth + 1);
  }
}

// The address has the path and the search, so that it can be sent and Back works.
function address() {
  const parts = path.slice(1).map(p => encodeURIComponent(p.name)).join("/");
  return "#" + parts + (wanted ? "?" + encodeURIComponent(wanted) : "");
}
function go(to) { path = to; if (location.hash !== address()) history.pushState(null, "", address()); show(); }
function follow() {
  const [parts, query] = location.hash.slice(1).split("?");
  path = [tree];
  for (const name of parts ? parts.split("/").map(decodeURIComponent) : []) {
    const next = path[path.length - 1].parts.find(p => p.name === name);
    if (!next) break;
    path.push(next);
  }
  wanted = query ? decodeURIComponent(query) : "";
  $("find").value = wanted;
  show();
}

function rows() {
  const found = symbols.filter(s => !wanted || matches(s[0]));
  found.sort(order ? (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1) : (a, b) => a[0] < b[0] ? -1 : 1);
  $("list").hidden = !symbols.length;
  $("rows").replaceChildren(...found.slice(0, ROWS).map(([name, size]) => {
    const row = document.createElement("tr"), cells = [size, name];
    for (const cell of cells) { const td = document.createElement("td"); td.textContent = cell; row.append(td); }
    return row;
  }));
  if (found.length > ROWS) {
    const row = document.createElement("tr"), td = document.createElement("td");
    td.textContent = "... " + (found.length - ROWS) + " more"; row.append(td); $("rows").append(row);
  }
}

function show() {
  const nav = $("path"), map = $("map");
  nav.replaceChildren();
  path.forEach((node, i) => {
    if (i) nav.append(" / ");
    const button = document.createElement("button");
    button.textContent = node.name;
    if (i === path.length - 1) button.setAttribute("aria-current", "page");
    button.addEventListener("click", () => go(path.slice(0, i + 1)));
    nav.append(button);
  });
  rows();
  const last = path[path.length - 1];
  $("size").textContent = bytes(last.bytes) + ", " + share(last.bytes) + " of the file";
  $("legend").replaceChildren();
  for (const part of [...last.parts].sort((a, b) => b.bytes - a.bytes).slice(0, 6)) {
    const box = document.createElement("i");
    box.style.background = colour(part.name, 0);
    $("legend").append(box, part.name);
  }
  map.replaceChildren();
  draw(map, last, path, 0, 0, map.clientWidth, map.clientHeight, 0);
}
$("find").addEventListener("input", event => { wanted = event.target.value.toLowerCase(); history.replaceState(null, "", address()); show(); });
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => { order = +button.dataset.key; rows(); });
window.addEventListener("resize", show);
window.addEventListener("popstate", follow);
window.addEventListener("hashchange", follow);
window.addEventListener("keydown", event => {
  if (event.key === "/" && event.target !== $("find")) { event.preventDefault(); $("find").focus(); }
  if (event.key === "Escape" && path.length > 1) go(path.slice(0, -1));
});
follow();
</script>
</body>
</html>
"##;
