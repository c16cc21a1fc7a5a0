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
