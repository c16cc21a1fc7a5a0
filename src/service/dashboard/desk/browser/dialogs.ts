type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Name]>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

export interface DialogOptions<Choice extends string> {
  readonly title: string;
  readonly content: readonly Node[];
  readonly choices: readonly Choice[];
  /** Label of the last button, which selects nothing. Default: Cancel. */
  readonly cancel?: string;
  onOpen?(close: () => void): void;
}

/** Shows a dialog and returns the choice; Escape selects nothing. */
export function askInDialog<Choice extends string>(options: DialogOptions<Choice>): Promise<Choice | undefined> {
  const { title, content, choices, cancel = "Cancel", onOpen } = options;
  const dialog = element("dialog", { className: "desk-dialog" });
  const heading = element("h2", { id: "dialog-title", textContent: title });
  dialog.setAttribute("aria-labelledby", heading.id);
  const form = element("form", { method: "dialog" });
  const buttons = element("p", { className: "actions" });
  for (const [at, choice] of choices.entries()) {
    // The first one is the suggestion.
    buttons.append(element("button", { value: choice, textContent: choice, className: at === 0 ? "" : "quiet" }));
  }
  const stop = element("button", { type: "button", className: "quiet", textContent: cancel });
  stop.addEventListener("click", () => dialog.close(""));
  buttons.append(stop);
  form.append(...content, buttons);
  dialog.append(heading, form);
  document.body.append(dialog);
  dialog.showModal();
  onOpen?.(() => dialog.close(""));
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(choices.find((choice) => choice === dialog.returnValue));
    });
  });
}
