// Progressive enhancement: the dashboard works without this script.

// An editor in another tab may be waiting for the user to sign in again.
new BroadcastChannel("imprint-signed-in").postMessage("");

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      // The text is selected, ready to be copied with the keyboard.
      button.textContent = "Press Ctrl+C";
    }
  });
}

// Lists: a checkbox selects everything shown, with a count of selected items.
for (const form of document.querySelectorAll("form.bulk")) {
  const all = form.querySelector("[data-pick-all]");
  const box = all.querySelector("input");
  const text = all.querySelector("[data-count]");
  const boxes = [...form.querySelectorAll("input[name=id]")];
  const show = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    box.checked = count === boxes.length;
    box.indeterminate = count > 0 && count < boxes.length;
    text.textContent = count === 0 ? "Select all shown" : `${count} selected`;
  };
  box.addEventListener("change", () => {
    for (const each of boxes) each.checked = box.checked;
    show();
  });
  form.addEventListener("change", show);
  all.hidden = false;
  // Browsers may restore checkboxes on reload.
  show();
}

// Uploads files that are dropped or selected into the library, one at a time, with the progress of each.
for (const form of document.querySelectorAll("form[data-upload]")) {
  const input = form.querySelector("input");
  const list = form.querySelector("ul");
  const status = form.querySelector("[role=status]");
  const show = form.querySelector("a");
  const again = form.querySelector("button.quiet");
  const maxBytes = Number(form.dataset.upload);
  const waiting = [];
  const notices = new Set();
  const failed = [];
  let refused = 0;
  let added = 0;
  let isSending = false;

  const add = (file) => {
    const row = document.createElement("li");
    const bar = document.createElement("progress");
    const said = document.createElement("span");
    bar.value = 0;
    bar.ariaLabel = file.name;
    said.className = "refused";
    row.append(file.name, bar, said);
    list.append(row);
    waiting.push({ file, row, bar, said });
  };

  const send = ({ file, bar }) =>
    new Promise((resolve) => {
      if (file.size > maxBytes) {
        const problem = `The file has ${megabytes(file.size)} MB; the maximum is ${megabytes(maxBytes)} MB.`;
        return resolve({ problem, isFinal: true });
      }
      const unsent = { problem: "Not sent: the service can’t be reached, or this is a folder." };
      const request = new XMLHttpRequest();
      const body = new FormData();
      body.append("file", file);
      request.upload.addEventListener("progress", ({ loaded, total }) => (bar.value = loaded / total));
      request.addEventListener("load", () => resolve(resultOf(request)));
      request.addEventListener("error", () => resolve(unsent));
      request.open("POST", form.action);
      request.setRequestHeader("Accept", "application/json");
      request.send(body);
    });

  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    again.hidden = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      status.textContent = `Adding ${next.file.name}. ${waiting.length} more to add.`;
      const { problem, isFinal, added: said = [] } = await send(next);
      for (const name of said) notices.add(name);
      next.said.textContent = problem ?? "";
      next.bar.hidden = problem !== undefined;
      if (problem === undefined) added += 1;
      else if (isFinal) refused += 1;
      else failed.push(next);
    }
    isSending = false;
    const left = failed.length + refused;
    if (added > 0) document.querySelector(".empty")?.remove();
    show.href = `/library?notice=${[...notices]}`;
    if (left === 0) return location.assign(show.href);
    status.textContent = `${added} added, ${left} not added.`;
    show.hidden = added === 0;
    again.hidden = failed.length === 0;
  };

  const take = (files) => {
    for (const file of files) add(file);
    void sendAll();
  };
  const mark = (isOver) => form.classList.toggle("over", isOver);

  input.addEventListener("change", () => {
    take(input.files);
    input.value = "";
  });
  again.addEventListener("click", () => {
    take(failed.splice(0).map(({ row, file }) => (row.remove(), file)));
  });
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && mark(false));
  addEventListener("drop", (event) => {
    mark(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  // Leaving now would lose unsent files.
  addEventListener("beforeunload", (event) => isSending && event.preventDefault());
}

// Cropping: dragging over the image fills in the fields, and the fields update the selection.
for (const form of document.querySelectorAll("form.crop")) {
  const [image, box] = form.querySelector(".crop-picture").children;
  const { left, top, width, height, shape } = form.elements;
  shape.parentElement.hidden = false;

  const show = () => {
    const { naturalWidth, naturalHeight } = image;
    if (naturalWidth === 0) return;
    const percent = (field, all) => `${(100 * field.value) / all}%`;
    Object.assign(box.style, {
      left: percent(left, naturalWidth),
      top: percent(top, naturalHeight),
      width: percent(width, naturalWidth),
      height: percent(height, naturalHeight),
    });
    box.hidden = false;
  };
  const clamp = (value, max) => Math.round(Math.max(0, Math.min(max, value)));
  // Returns the largest area of the selected aspect ratio from one corner toward another.
  const select = (from, to) => {
    let [wide, high] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    const ratio = Number(shape.value);
    if (ratio > 0) [wide, high] = [Math.min(wide, high * ratio), Math.min(high, wide / ratio)];
    [width.value, height.value] = [Math.max(1, Math.round(wide)), Math.max(1, Math.round(high))];
    left.value = clamp(to.x < from.x ? from.x - wide : from.x, image.naturalWidth - width.value);
    top.value = clamp(to.y < from.y ? from.y - high : from.y, image.naturalHeight - height.value);
    show();
  };
  const placeOf = ({ clientX, clientY }) => {
    const shown = image.getBoundingClientRect();
    const scale = image.naturalWidth / shown.width;
    const x = clamp((clientX - shown.left) * scale, image.naturalWidth);
    return { x, y: clamp((clientY - shown.top) * scale, image.naturalHeight) };
  };
  let start;
  image.parentElement.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    start = placeOf(event);
    image.parentElement.setPointerCapture(event.pointerId);
  });
  image.parentElement.addEventListener("pointermove", (event) => start && select(start, placeOf(event)));
  image.parentElement.addEventListener("pointerup", () => (start = undefined));
  shape.addEventListener("change", () => {
    const [x, y] = [Number(left.value), Number(top.value)];
    select({ x, y }, { x: x + Number(width.value), y: y + Number(height.value) });
  });
  form.addEventListener("input", show);
  image.addEventListener("load", show);
  show();
}

// Texts of project files that were deleted or renamed while they were edited: only this browser has them.
for (const place of document.querySelectorAll("[data-stranded]")) {
  const form = document.querySelector(`form[action="/files"]:has([name=title])`);
  const prefix = `imprint-desk ${place.dataset.stranded} `;
  for (const key of Object.keys(localStorage).filter((each) => each.startsWith(prefix))) {
    void offerStranded(key, place, form);
  }
}

async function offerStranded(key, place, form) {
  const [time, values, source] = JSON.parse(localStorage.getItem(key));
  if (source?.newPath !== place.dataset.new) return;
  const { status } = await fetch(source.path).catch(() => ({}));
  if (status !== 404) return;
  const name = decodeURIComponent(source.path.split("/")[2]);
  const title = values.title || name;
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const bar = make("p", { className: "notice", role: "status" });
  const button = (textContent, act) =>
    make("button", { type: "button", className: "quiet", textContent, onclick: () => (act(), bar.remove()) });
  const use = () => {
    form.elements.title.value = title;
    for (const old of form.querySelectorAll("[type=hidden]")) old.remove();
    const { title: _title, version: _version, ...others } = values;
    for (const [field, value] of Object.entries(others)) {
      form.append(make("input", { type: "hidden", name: field, value }));
    }
    form.elements.title.focus();
  };
  const link = make("a", { href: place.dataset.new, textContent: "New post" });
  bar.append(
    `This browser has the text of “${title}” (${name}), which was deleted or renamed, from ${new Date(time).toLocaleString()}. It was not sent. `,
    ...(form === null ? [link, " offers it. "] : [button("Use it in the new file", use), " "]),
    button("Discard it", () => localStorage.removeItem(key)),
  );
  place.hidden = false;
  place.append(bar);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

/** Parses the service's response for a file: the notices about it if added, otherwise the problem and whether it is final. */
function resultOf({ status, responseText, responseURL }) {
  if (/^\{"(?:added|problem)"/.test(responseText)) return { ...JSON.parse(responseText), isFinal: status < 429 };
  if (status === 401 || status === 403 || responseURL.includes("/sign-in")) {
    return { problem: "You are signed out. Sign in in another tab, then try again." };
  }
  if (status === 413) return { problem: "A server in front of the service refuses files of this size.", isFinal: true };
  return { problem: `The service returned HTTP status ${status}. Try again in a moment.` };
}

// Global search: Ctrl+K or ⌘K opens it, arrow keys select a result, Enter opens it.
const finder = document.getElementById("finder");
if (finder !== null) {
  const isMac = /Mac|iP/.test(navigator.platform);
  const opener = document.querySelector("[data-find]");
  const input = finder.querySelector("input");
  const status = finder.querySelector("[role=status]");
  const results = finder.querySelector("form + div");
  let latest = new AbortController();
  let looking;

  const look = async () => {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    try {
      const response = await fetch(`/search/results?${new URLSearchParams({ q: input.value })}`, {
        signal,
      });
      if (!response.ok || response.redirected) throw new Error(`HTTP status ${response.status}`);
      const html = await response.text();
      const selected = results.contains(document.activeElement) ? document.activeElement.href : undefined;
      results.innerHTML = html;
      results.scrollTop = 0;
      const links = linksOf(results);
      // Results that arrive while one is selected don't take the focus away.
      if (selected !== undefined) (links.find(({ href }) => href === selected) ?? input).focus();
      const name = links[0]?.firstChild.textContent.trim();
      const found = name === undefined ? "Nothing found." : `${links.length} found. Enter opens ${name}.`;
      status.textContent = input.value.trim() === "" ? "Type part of a name, or choose." : found;
    } catch {
      // A newer search is already running.
      if (signal.aborted) return;
      results.replaceChildren();
      status.textContent = "The search can’t be reached. Press Enter to try it on a separate page.";
    }
  };
  const open = () => {
    if (finder.open) return;
    finder.showModal();
    input.select();
    looking = look();
  };

  Object.assign(opener.querySelector("kbd"), { textContent: isMac ? "⌘K" : "Ctrl K", hidden: false });
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  addEventListener("keydown", (event) => {
    const isAsked = event.key.toLowerCase() === "k" && (isMac ? event.metaKey : event.ctrlKey);
    if (!isAsked || event.altKey || event.shiftKey || event.defaultPrevented) return;
    // Another dialog is open and comes first.
    if (document.querySelector("dialog[open]:not(#finder)") !== null) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("input", () => (looking = look()));
  input.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await looking;
    const [first] = linksOf(results);
    if (first !== undefined) first.click();
    else if (results.childElementCount === 0) input.form.submit();
  });
  finder.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const links = linksOf(results);
    const place = links.indexOf(document.activeElement);
    if (step === undefined) {
      // Typing continues the search.
      if (place !== -1 && (event.key.length === 1 || event.key === "Backspace") && !event.ctrlKey && !event.metaKey) {
        input.focus();
      }
      return;
    }
    event.preventDefault();
    // From the search field, Enter opens the first result, so the arrow selects the second.
    const next = place === -1 && step === 1 ? Math.min(1, links.length - 1) : place + step;
    (links[next] ?? (step === 1 ? links.at(-1) : input))?.focus();
  });
  finder.addEventListener("click", ({ target }) => target === finder && finder.close());
}

function linksOf(results) {
  return [...results.querySelectorAll("a")];
}
