// What makes the dashboard more comfortable where scripts run. Nothing depends on it.

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      // The text is selected, so that the keyboard copies it.
      button.textContent = "Press Ctrl+C";
    }
  });
}

// Lists: one box ticks all that is shown, and says how many are ticked.
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
  // A browser may have kept what was ticked.
  show();
}

// The library takes files that are dropped or chosen, one after another, and says of each how far it is.
for (const form of document.querySelectorAll("form[data-upload]")) {
  const input = form.querySelector("input");
  const list = form.querySelector("ul");
  const status = form.querySelector("[role=status]");
  const show = form.querySelector("a");
  const again = form.querySelector("button.quiet");
  const maxBytes = Number(form.dataset.upload);
  const waiting = [];
  let failed = [];
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
        const problem = `It has ${megabytes(file.size)} MB. Files may have at most ${megabytes(maxBytes)} MB.`;
        return resolve({ problem, isFinal: true });
      }
      const unsent = { problem: "It was not sent: the service can’t be reached, or it is a folder." };
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
      const { problem, isFinal } = await send(next);
      next.said.textContent = problem ?? "";
      next.bar.hidden = problem !== undefined;
      if (problem === undefined) added += 1;
      else if (isFinal) refused += 1;
      else failed.push(next);
    }
    isSending = false;
    const left = failed.length + refused;
    if (left === 0) return location.assign("/library?notice=assets-added");
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
    for (const { row } of failed) row.remove();
    const files = failed.map(({ file }) => file);
    failed = [];
    take(files);
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
  // Who leaves now would lose what is not sent yet.
  addEventListener("beforeunload", (event) => isSending && event.preventDefault());
}

function megabytes(bytes) {
  return (bytes / 1024 / 1024).toFixed(1);
}

/** What the service says of a file: nothing, or why it was not added, and whether that is its last word. */
function resultOf({ status, responseText, responseURL }) {
  if (status === 200 && responseText.startsWith('{"added"')) return {};
  if (responseText.startsWith('{"problem"')) return { ...JSON.parse(responseText), isFinal: true };
  if (status === 401 || status === 403 || responseURL.includes("/sign-in")) {
    return { problem: "You are signed out. Sign in in another tab, then try again." };
  }
  return { problem: `The service answered ${status}. Try again in a moment.` };
}
