/** Writes what happened to where the visitor looks. */
export function say(id: string, text: unknown): void {
  document.querySelector(`[data-testid="${id}"]`)!.textContent = String(text);
}
