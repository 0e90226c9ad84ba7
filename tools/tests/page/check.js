// Uses the page as a person does, and reports what does not hold. Runs in the page, after its script.
"use strict";
{
  const failed = [], times = {};
  const check = (what, holds) => { if (!holds) failed.push(what); };
  const parts = () => [...document.querySelectorAll("#map .part")];
  const rows = () => [...document.querySelectorAll("#rows tr")].map(row => [...row.cells].map(cell => cell.textContent));
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  // The time until the page has its new layout.
  const timed = (what, run) => {
    const start = performance.now();
    run();
    document.body.getBoundingClientRect();
    times[what] = Math.max(times[what] || 0, performance.now() - start);
  };
  const type = text => { $("find").value = text; $("find").dispatchEvent(new Event("input", { bubbles: true })); };

  check("the map has parts", parts().length > 3);
  check("the table has symbols", rows().some(row => row.some(cell => cell.startsWith("@"))));
  check("the legend explains colours", $("legend").querySelectorAll("i").length > 1);
  const area = parts().filter(p => p.parentElement === $("map")).reduce((sum, p) => sum + p.offsetWidth * p.offsetHeight, 0);
  check("parts fill the map", area > 0.9 * $("map").clientWidth * $("map").clientHeight);

  // ARIA: each part has a role, a name and a level; exactly one is in the order of tabs.
  check("parts are tree items", parts().every(p => p.getAttribute("role") === "treeitem" && p.getAttribute("aria-label") && p.getAttribute("aria-level")));
  check("one part has the focus of tab", parts().filter(p => p.tabIndex === 0).length === 1);
  check("tabs are marked", document.querySelectorAll("[role=tab][aria-selected=true]").length === 2);
  check("sorted columns are marked", document.querySelectorAll("th[aria-sort=descending]").length === 1);

  // Keyboard: arrows move, Enter goes in, Escape goes out, slash searches.
  const first = parts().find(p => p.tabIndex === 0);
  first.focus();
  press(first, "ArrowRight");
  check("an arrow moves the focus", document.activeElement !== first && document.activeElement.classList.contains("part"));
  press(document.activeElement, "ArrowLeft");
  check("an arrow moves back", document.activeElement === first);
  check("the status names the part", $("size").textContent === first.title);
  timed("enter", () => press(first, "Enter"));
  check("Enter goes in", state.path.length === 1 && $("path").querySelectorAll("button").length === 2);
  check("the address has the path", location.hash.includes("path="));
  const inside = location.hash;
  press(document.body, "Escape");
  check("Escape goes out", state.path.length === 0);
  press(document.body, "/");
  check("slash searches", document.activeElement === $("find"));

  // Deep links.
  history.replaceState(null, "", inside);
  follow();
  check("an address is followed", state.path.length === 1);
  history.replaceState(null, "", "#view=owners&list=constants&sort=name");
  follow();
  check("views are in the address", $("owners").getAttribute("aria-selected") === "true" && $("constants").getAttribute("aria-selected") === "true");
  history.replaceState(null, "", "#path=there/is/no/such");
  follow();
  check("an unknown path shows the whole", parts().length > 3);
  history.replaceState(null, "", "#");
  follow();

  // Owners.
  timed("owners", () => $("owners").click());
  check("owners are symbols", parts().some(p => p.title.startsWith("@")));
  const sums = trees.owners.parts.reduce((sum, p) => sum + p.sizes[last], 0);
  check("owners sum up to the file", Math.abs(sums - data.files[last].uncompressed) <= 1);
  timed("places", () => $("places").click());

  // Search, as one types.
  const wanted = lists.symbols[lists.symbols.length - 1].name;
  const all = rows().length;
  for (let end = 1; end <= wanted.length; end++) timed("search", () => type(wanted.slice(0, end)));
  check("search finds a symbol", rows().some(row => row.includes(wanted)));
  check("search leaves out others", rows().length <= all && (lists.symbols.length === 1 || $("table").getAttribute("aria-label") !== lists.symbols.length + " symbols"));
  check("the address has the search", location.hash.includes("find="));
  timed("search", () => type("there is no such name"));
  check("nothing is found", rows().length === 0 && parts().every(p => p.classList.contains("dim")));
  timed("search", () => type(""));

  // Tables are sorted by a click.
  const heads = () => [...document.querySelectorAll("th button")];
  for (let column = 0; column < heads().length; column++) timed("sort", () => heads()[column].click());
  const byName = heads().length - 1;
  check("names ascend", document.querySelectorAll("th")[byName].getAttribute("aria-sort") === "ascending");
  const names = rows().filter(row => row.length > byName).map(row => row[byName]);
  check("names are sorted", names.every((name, at) => !at || names[at - 1] <= name));

  if (compares) {
    history.replaceState(null, "", "#sort=change");
    follow();
    check("changes are listed", rows().length > 0 && rows().every(row => row.length === 1 || /^[+-]\d+$/.test(row[2])));
    check("the legend is of changes", $("legend").textContent.includes("larger in"));
  }
  history.replaceState(null, "", "#");
  follow();

  // What a person waits for: the time from an action to the end of the frame that shows it, of which
  // the delay until the browser begins a frame is a part. The page is loaded once this is measured:
  // a document that stays open delays the event.
  const frames = {};
  const open = document.body.appendChild(document.createElement("iframe"));
  open.hidden = true;
  open.contentDocument.open();
  const painted = () => new Promise(done => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(null);
  }));
  const framed = async (what, run) => {
    await painted();
    const start = performance.now();
    run();
    await painted();
    frames[what] = Math.max(frames[what] || 0, performance.now() - start);
  };
  const measure = async () => {
    for (let round = 0; round < 3; round++) {
      await framed("enter", () => press(parts().find(p => p.tabIndex === 0), "Enter"));
      await framed("leave", () => press(document.body, "Escape"));
      await framed("owners", () => $("owners").click());
      await framed("places", () => $("places").click());
      for (let end = 1; end <= wanted.length; end++) await framed("search", () => type(wanted.slice(0, end)));
      await framed("search", () => type(""));
      for (let column = 0; column < heads().length; column++) await framed("sort", () => heads()[column].click());
      history.replaceState(null, "", "#");
      follow();
    }
  };
  measure().catch(error => failed.push("frames: " + error)).then(() => {
    const results = document.createElement("script");
    results.type = "application/json";
    results.id = "results";
    results.textContent = JSON.stringify({ failed, times, frames, symbols: lists.symbols.length, parts: parts().length });
    document.body.append(results);
    open.contentDocument.close();
  });
}
