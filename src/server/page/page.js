// The page: sends an image to /v1/ocr and shows what was read. Every text of an image or a server goes into the page as
// text (textContent), never as markup.
"use strict";

const DOUBTFUL_BELOW = 0.8;
const ZOOM_STEP = 1.25;
const PAN_STEP_PX = 60;
const STAGES = {
  load: "load and decode", detect_input: "input of the detector", detect: "detector", boxes: "boxes",
  crop: "crops of the lines", recognise: "recogniser", decode: "text", total: "total of the engine",
};

const byId = (id) => document.getElementById(id);
const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);

const state = {
  file: null, // what was sent
  json: "", // the answer as it came
  pages: [], // its images
  page: 0, // index into pages
  token: "",
  run: 0, // counts the files, so that a late answer to an older one is dropped
  pictureUrl: "",
  view: { x: 0, y: 0, scale: 1 },
};

function say(text) {
  byId("status").textContent = text;
}

function showProblem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
}

// Answers other than 2xx become an Error with the server's own message.
async function send(path, body) {
  const headers = { "Content-Type": "application/octet-stream" };
  if (state.token) headers.Authorization = `Bearer ${state.token}`;
  const answer = await fetch(path, body ? { method: "POST", headers, body } : { headers });
  if (answer.ok) return answer;
  if (answer.status === 401) byId("token-form").hidden = false;
  let message = `status ${answer.status}`;
  try {
    message = (await answer.json()).error.message;
  } catch {
    // The status says enough.
  }
  throw new Error(message);
}

function query(parameters) {
  return new URLSearchParams({ name: state.file.name || "image", profile: byId("profile").value, ...parameters });
}

async function read(file) {
  const run = ++state.run;
  state.file = file;
  showProblem("");
  say(`Reading ${file.name || "the image"} …`);
  document.body.setAttribute("aria-busy", "true");
  try {
    const start = performance.now();
    const answer = await send(`/v1/ocr?${query({ words: true })}`, file);
    const json = await answer.text();
    if (run !== state.run) return;
    state.json = json;
    state.pages = JSON.parse(json).images;
    state.roundTrip = performance.now() - start;
    for (const id of ["copy", "save-text", "save-json", "save-pdf", "zoom-in", "zoom-out", "fit"]) byId(id).disabled = false;
    await showPage(0);
  } catch (error) {
    if (run !== state.run) return;
    say("Nothing was read.");
    showProblem(error.message);
  } finally {
    if (run === state.run) document.body.removeAttribute("aria-busy");
  }
}

async function showPage(index) {
  const page = state.pages[index];
  state.page = index;
  byId("pages").hidden = state.pages.length < 2;
  byId("page-number").textContent = `Page ${index + 1} of ${state.pages.length}`;
  byId("previous").disabled = index === 0;
  byId("next").disabled = index + 1 === state.pages.length;
  showProblem(page.error ? page.error.message : (page.warnings || []).join("; "));
  showLines(page.lines || []);
  showTimes(page);
  const count = (page.lines || []).length;
  say(`${count} ${count === 1 ? "line" : "lines"} read in ${Math.round(page.ms ? page.ms.total : 0)} ms.`);
  await showPicture(page);
}

function loadPicture(url, page) {
  return new Promise((resolve) => {
    const picture = byId("picture");
    picture.onload = () => resolve(picture.naturalWidth === page.width && picture.naturalHeight === page.height);
    picture.onerror = () => resolve(false);
    if (state.pictureUrl) URL.revokeObjectURL(state.pictureUrl);
    state.pictureUrl = url;
    picture.src = url;
  });
}

// A browser shows few formats, and not always turned as the server turns them; then the server makes a PNG.
async function showPicture(page) {
  const run = state.run;
  if (page.error) return;
  const shown = state.pages.length === 1 && page.pages === 1 && await loadPicture(URL.createObjectURL(state.file), page);
  if (!shown) {
    const answer = await send(`/v1/image?page=${page.page}`, state.file);
    const blob = await answer.blob();
    if (run !== state.run) return;
    await loadPicture(URL.createObjectURL(blob), page);
  }
  if (run !== state.run) return;
  byId("picture").alt = `${state.file.name || "image"}, ${page.width} by ${page.height} pixels`;
  byId("drop-hint").hidden = true;
  byId("stage").hidden = false;
  byId("stage").style.width = `${page.width}px`;
  byId("stage").style.height = `${page.height}px`;
  showBoxes(page);
  fit();
}

function polygon(part, kind, line, word) {
  const shape = svg("polygon");
  shape.setAttribute("points", part.quad.map((corner) => corner.join(",")).join(" "));
  shape.setAttribute("class", kind + (kind === "word" && part.score < DOUBTFUL_BELOW ? " doubtful" : ""));
  shape.dataset.line = line;
  if (word !== undefined) shape.dataset.word = word;
  return shape;
}

function showBoxes(page) {
  const boxes = byId("boxes");
  boxes.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
  boxes.setAttribute("preserveAspectRatio", "none");
  boxes.replaceChildren();
  page.lines.forEach((line, i) => {
    boxes.append(polygon(line, "line", i));
    line.words.forEach((word, j) => boxes.append(polygon(word, "word", i, j)));
  });
  showKinds();
}

function showKinds() {
  byId("boxes").classList.toggle("no-lines", !byId("show-lines").checked);
  byId("boxes").classList.toggle("no-words", !byId("show-words").checked);
}

const percent = (score) => `${Math.round(score * 100)} %`;

// The words of a line as elements, with the spaces between them.
function lineParts(line, i) {
  const parts = [];
  let at = 0;
  line.words.forEach((word, j) => {
    const found = line.text.indexOf(word.text, at);
    if (found < 0) return;
    if (found > at) parts.push(document.createTextNode(line.text.slice(at, found)));
    const element = document.createElement(word.score < DOUBTFUL_BELOW ? "mark" : "span");
    element.textContent = word.text;
    element.title = `score ${percent(word.score)}`;
    element.dataset.line = i;
    element.dataset.word = j;
    parts.push(element);
    at = found + word.text.length;
  });
  if (at < line.text.length) parts.push(document.createTextNode(line.text.slice(at)));
  return parts;
}

function showLines(lines) {
  byId("lines").replaceChildren(...lines.map((line, i) => {
    const item = document.createElement("li");
    item.tabIndex = i === 0 ? 0 : -1; // one stop for the tab key; arrows go from line to line
    item.dataset.line = i;
    item.append(...lineParts(line, i));
    return item;
  }));
  const doubtful = lines.flatMap((line) => line.words).filter((word) => word.score < DOUBTFUL_BELOW).length;
  byId("doubts").hidden = lines.length === 0;
  byId("doubts").textContent = doubtful === 0 ? `No word has a score below ${percent(DOUBTFUL_BELOW)}.`
    : `${doubtful} ${doubtful === 1 ? "word is" : "words are"} marked as doubtful: score below ${percent(DOUBTFUL_BELOW)}.`;
}

function showTimes(page) {
  byId("details").hidden = !page.ms;
  const rows = Object.entries(STAGES).filter(([name]) => page.ms && name in page.ms)
    .map(([name, label]) => [label, page.ms[name]]);
  rows.push(["request, all pages", state.roundTrip]);
  byId("times").replaceChildren(...rows.map(([label, ms]) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    const cell = document.createElement("td");
    head.scope = "row";
    head.textContent = label;
    cell.textContent = `${ms.toFixed(1)} ms`;
    row.append(head, cell);
    return row;
  }));
}

// Marks a line, and a word of it if one is meant, in both panes.
function heat(line, word) {
  for (const element of document.querySelectorAll(".hot")) element.classList.remove("hot");
  if (line === undefined) return;
  const wanted = (element) => element.dataset.line === line &&
    (element.dataset.word === undefined ? element.matches("li") || word === undefined : element.dataset.word === word);
  for (const element of document.querySelectorAll("#boxes polygon, #lines li")) {
    if (wanted(element)) element.classList.add("hot");
  }
}

function pointed(event) {
  const element = event.target.closest("[data-line]");
  return element ? [element.dataset.line, element.dataset.word] : [];
}

// Moves the image so that the line is in the middle, if it is outside.
function reveal(index) {
  const line = state.pages[state.page].lines[index];
  const view = byId("view").getBoundingClientRect();
  const { x, y, scale } = state.view;
  const mean = (axis) => line.quad.reduce((sum, corner) => sum + corner[axis], 0) / 4;
  const left = mean(0) * scale + x;
  const top = mean(1) * scale + y;
  if (left >= 0 && top >= 0 && left <= view.width && top <= view.height) return;
  moveTo(x + view.width / 2 - left, y + view.height / 2 - top, scale);
}

function moveTo(x, y, scale) {
  state.view = { x, y, scale };
  byId("stage").style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

function fit() {
  const page = state.pages[state.page];
  if (!page || page.error) return;
  const view = byId("view").getBoundingClientRect();
  const scale = Math.min(view.width / page.width, view.height / page.height);
  moveTo((view.width - page.width * scale) / 2, (view.height - page.height * scale) / 2, scale);
}

// Zooms so that the point (px of the view) stays where it is.
function zoom(factor, px, py) {
  const view = byId("view").getBoundingClientRect();
  const { x, y, scale } = state.view;
  const to = Math.min(40, Math.max(0.02, scale * factor));
  const centreX = px ?? view.width / 2;
  const centreY = py ?? view.height / 2;
  moveTo(centreX - (centreX - x) * to / scale, centreY - (centreY - y) * to / scale, to);
}

function listenToView() {
  const view = byId("view");
  const pointers = new Map();
  let start = null;
  const local = (event) => {
    const box = view.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), ...local(event));
  }, { passive: false });
  view.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, local(event));
    start = [event.clientX, event.clientY];
    view.classList.add("moving");
  });
  view.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      const distance = (point) => Math.hypot(point[0] - other[1][0], point[1] - other[1][1]);
      zoom(distance(now) / Math.max(1, distance(before)), (now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2);
    } else {
      moveTo(state.view.x + now[0] - before[0], state.view.y + now[1] - before[1], state.view.scale);
    }
    pointers.set(event.pointerId, now);
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    view.addEventListener(kind, (event) => {
      pointers.delete(event.pointerId);
      view.classList.remove("moving");
    });
  }
  view.addEventListener("click", (event) => {
    const moved = start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 5;
    const [line] = pointed(event);
    if (!moved && line !== undefined) focusLine(Number(line));
  });
  view.addEventListener("keydown", (event) => {
    const { x, y, scale } = state.view;
    const actions = {
      ArrowLeft: () => moveTo(x + PAN_STEP_PX, y, scale), ArrowRight: () => moveTo(x - PAN_STEP_PX, y, scale),
      ArrowUp: () => moveTo(x, y + PAN_STEP_PX, scale), ArrowDown: () => moveTo(x, y - PAN_STEP_PX, scale),
      "+": () => zoom(ZOOM_STEP), "=": () => zoom(ZOOM_STEP), "-": () => zoom(1 / ZOOM_STEP), 0: fit,
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  });
}

function focusLine(index) {
  const items = byId("lines").children;
  const to = items[Math.max(0, Math.min(items.length - 1, index))];
  if (!to) return;
  for (const item of items) item.tabIndex = item === to ? 0 : -1;
  to.focus();
}

function listenToLines() {
  const lines = byId("lines");
  lines.addEventListener("focusin", (event) => {
    const [line, word] = pointed(event);
    heat(line, word);
    if (line !== undefined) reveal(Number(line));
  });
  lines.addEventListener("keydown", (event) => {
    const now = Number(pointed(event)[0]);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: lines.children.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focusLine(to);
  });
  for (const pane of [lines, byId("boxes")]) {
    pane.addEventListener("pointerover", (event) => heat(...pointed(event)));
    pane.addEventListener("pointerleave", () => heat());
  }
  byId("boxes").addEventListener("pointerover", (event) => {
    const [line] = pointed(event);
    if (line !== undefined) lines.children[line].scrollIntoView({ block: "nearest" });
  });
}

const allText = () => state.pages.map((page) => (page.lines || []).map((line) => line.text + "\n").join("")).join("");

// The part of the text that is selected; empty without one.
function selectedText() {
  const selection = document.getSelection();
  if (selection.isCollapsed || !byId("lines").contains(selection.anchorNode)) return "";
  return selection.toString();
}

async function copy() {
  const text = selectedText() || allText();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https, or without the permission, only the old way is left.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "hidden";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied.");
}

function save(blob, ending) {
  const link = document.createElement("a");
  const url = URL.createObjectURL(blob);
  link.href = url;
  link.download = `${(state.file.name || "image").replace(/\.[^.]*$/, "")}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function savePdf() {
  say("Making the PDF …");
  try {
    const answer = await send(`/v1/ocr?${query({ format: "pdf" })}`, state.file);
    save(await answer.blob(), "searchable.pdf");
    say("The PDF is made.");
  } catch (error) {
    showProblem(error.message);
  }
}

function listenToFiles() {
  for (const id of ["file", "camera"]) {
    byId(id).addEventListener("change", (event) => {
      if (event.target.files.length > 0) read(event.target.files[0]);
      event.target.value = ""; // so that the same file can be chosen again
    });
  }
  document.addEventListener("paste", (event) => {
    const [file] = event.clipboardData.files;
    if (!file) return;
    event.preventDefault();
    read(file);
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer.files.length > 0) read(event.dataTransfer.files[0]);
  });
}

async function showModel() {
  try {
    const [model] = (await (await send("/v1/models")).json()).models;
    byId("model").textContent = `${model.size}, ${model.precision}, on ${model.devices[0].name}`;
  } catch (error) {
    showProblem(error.message);
  }
}

function listen() {
  listenToFiles();
  listenToView();
  listenToLines();
  byId("zoom-in").addEventListener("click", () => zoom(ZOOM_STEP));
  byId("zoom-out").addEventListener("click", () => zoom(1 / ZOOM_STEP));
  byId("fit").addEventListener("click", fit);
  byId("show-lines").addEventListener("change", showKinds);
  byId("show-words").addEventListener("change", showKinds);
  byId("previous").addEventListener("click", () => showPage(state.page - 1));
  byId("next").addEventListener("click", () => showPage(state.page + 1));
  byId("profile").addEventListener("change", () => state.file && read(state.file));
  byId("copy").addEventListener("click", copy);
  byId("save-text").addEventListener("click", () => save(new Blob([allText()], { type: "text/plain" }), "txt"));
  byId("save-json").addEventListener("click", () => save(new Blob([state.json], { type: "application/json" }), "json"));
  byId("save-pdf").addEventListener("click", savePdf);
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    state.token = byId("token").value;
    byId("token-form").hidden = true;
    showProblem("");
    showModel();
    if (state.file) read(state.file);
  });
  document.addEventListener("selectionchange", () => {
    byId("copy").textContent = selectedText() ? "Copy selection" : "Copy all";
  });
  window.addEventListener("resize", fit);
}

listen();
showModel();
