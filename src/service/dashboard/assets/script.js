// What makes the dashboard more comfortable where scripts run. Nothing depends on it.

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question !== undefined && !globalThis.confirm(question)) event.preventDefault();
});
