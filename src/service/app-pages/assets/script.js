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
