//! An HTML page that shows a tree of sizes as a map, in which each part's area is proportional to
//! its size.

use serde_json::Value;

/// Returns the page, which is self-contained.
pub(super) fn page(name: &str, tree: &Value) -> String {
    // Within a script element, only `<` could end it.
    let data = tree.to_string().replace('<', "\\u003c");
    let title: String = name
        .chars()
        .map(|c| match c {
            '<' => "&lt;".to_owned(),
            '&' => "&amp;".to_owned(),
            c => c.to_string(),
        })
        .collect();
    PAGE.replace("{{title}}", &title).replace("{{data}}", &data)
}

const PAGE: &str = r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{title}}</title>
<style>
  html, body { margin: 0; height: 100%; font: 13px/1.3 system-ui, sans-serif; background: #fff; color: #222; }
  body { display: flex; flex-direction: column; }
  nav { padding: 8px 12px; border-bottom: 1px solid #ccc; }
  nav button { font: inherit; border: 0; background: none; color: #0645ad; cursor: pointer; padding: 0; }
  nav span { color: #666; }
  #map { position: relative; flex: 1; overflow: hidden; }
  .part { position: absolute; box-sizing: border-box; border: 1px solid #fff; overflow: hidden; cursor: default; }
  .part.more { cursor: zoom-in; }
  .part:hover { outline: 2px solid #222; outline-offset: -2px; z-index: 1; }
  .part b { display: block; padding: 2px 4px; font-weight: 600; white-space: nowrap; text-overflow: ellipsis; overflow: hidden; }
  .part.leaf b { font-weight: 400; white-space: normal; overflow-wrap: anywhere; }
</style>
</head>
<body>
<nav id="path" aria-label="path"></nav>
<div id="map"></div>
<script>
"use strict";
const tree = {{data}};
let path = [tree];

function bytes(n) {
  if (n < 10240) return n + " B";
  if (n < 10485760) return (n / 1024).toFixed(1) + " KiB";
  return (n / 1048576).toFixed(1) + " MiB";
}

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
    let row = [], sum = 0, worst = Infinity;
    for (const part of rest) {
      const s = (sum + part.bytes) * area;
      const all = [...row, part].map(p => p.bytes * area);
      const ratio = Math.max(side * side * Math.max(...all) / (s * s), s * s / (side * side * Math.min(...all)));
      if (ratio > worst) break;
      worst = ratio; row.push(part); sum += part.bytes;
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

function draw(into, node, trail, x, y, w, h, depth) {
  for (const r of layout(node.parts, x, y, w, h)) {
    if (r.w < 2 || r.h < 2) continue;
    const to = [...trail, r.part], nested = r.part.parts.length > 0;
    const box = document.createElement("div");
    box.className = "part" + (nested ? " more" : " leaf");
    Object.assign(box.style, { left: r.x + "px", top: r.y + "px", width: r.w + "px", height: r.h + "px", background: colour(r.part.name, depth) });
    box.title = to.slice(1).map(p => p.name).join(" / ") + "\n" + bytes(r.part.bytes) + ", " + (100 * r.part.bytes / tree.bytes).toFixed(2) + " %";
    if (r.w > 30 && r.h > 16) {
      const label = document.createElement("b");
      label.textContent = r.part.name + " " + bytes(r.part.bytes);
      box.append(label);
    }
    box.addEventListener("click", event => {
      event.stopPropagation();
      if (nested) { path = to; show(); }
    });
    into.append(box);
    if (nested && depth < 2 && r.w > 40 && r.h > 40) draw(box, r.part, to, 2, 20, r.w - 6, r.h - 24, depth + 1);
  }
}

function show() {
  const nav = document.getElementById("path"), map = document.getElementById("map");
  nav.replaceChildren();
  path.forEach((node, i) => {
    if (i) nav.append(" / ");
    const button = document.createElement("button");
    button.textContent = node.name;
    button.addEventListener("click", () => { path = path.slice(0, i + 1); show(); });
    nav.append(button);
  });
  const last = path[path.length - 1], size = document.createElement("span");
  size.textContent = "  " + bytes(last.bytes) + ", " + (100 * last.bytes / tree.bytes).toFixed(2) + " % of the file";
  nav.append(size);
  map.replaceChildren();
  draw(map, last, path, 0, 0, map.clientWidth, map.clientHeight, 0);
}
window.addEventListener("resize", show);
window.addEventListener("keydown", event => {
  if (event.key === "Escape" && path.length > 1) { path = path.slice(0, -1); show(); }
});
show();
</script>
</body>
</html>
"##;
