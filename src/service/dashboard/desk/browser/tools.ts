import { element } from "./dialogs.ts";
import { insert, prefixLines, wrap } from "./editor.ts";
import { addPicture, choosePicture, type Picture } from "./pictures.ts";
import { fieldOf, fill, post, type Desk } from "./state.ts";

export function createTools(desk: Desk): HTMLElement {
  const bar = element("div", { className: "desk-tools", role: "toolbar", ariaLabel: "Formatting" });
  const tools: readonly (readonly [name: string, act: () => void])[] = [
    ["Heading", () => prefixLines(desk.editor, "## ")],
    ["Bold", () => wrap(desk.editor, "**")],
    ["Italic", () => wrap(desk.editor, "*")],
    ["Code", () => wrap(desk.editor, "`")],
    ["List", () => prefixLines(desk.editor, "- ")],
    ["Numbered list", () => prefixLines(desk.editor, "1. ")],
    ["Quote", () => prefixLines(desk.editor, "> ")],
    ["Link", () => insert(desk.editor, `[${selected(desk)}](https://)`)],
    ["Picture", () => void choosePicture(pictures(desk)).then((picture) => insertPicture(desk, picture))],
  ];
  for (const [name, act] of tools) {
    const button = element("button", { type: "button", className: "quiet", textContent: name });
    button.addEventListener("click", act);
    bar.append(button);
  }
  bar.append(plainSwitch(desk));
  return bar;
}

/** Shows the browser's own text area in the place of the editor, for who works better with it. */
function plainSwitch({ editor, form }: Desk): HTMLElement {
  const button = element("button", { type: "button", className: "quiet", textContent: "Plain text area" });
  const textarea = form.querySelector<HTMLTextAreaElement>("textarea[name=text]");
  button.ariaPressed = "false";
  button.addEventListener("click", () => {
    const isPlain = button.ariaPressed !== "true";
    button.ariaPressed = String(isPlain);
    editor.dom.hidden = isPlain;
    if (textarea !== null) textarea.hidden = !isPlain;
    if (isPlain) textarea?.focus();
    else editor.focus();
  });
  textarea?.addEventListener("input", () => {
    const { value, selectionEnd } = textarea;
    const changes = { from: 0, to: editor.state.doc.length, insert: value };
    editor.dispatch({ changes, selection: { anchor: selectionEnd } });
    textarea.setSelectionRange(selectionEnd, selectionEnd);
  });
  return button;
}

function selected(desk: Desk): string {
  const { from, to } = desk.editor.state.selection.main;
  return desk.editor.state.sliceDoc(from, to);
}

function pictures(desk: Desk): string {
  return desk.form.dataset["pictures"] ?? "";
}

export async function addFiles(desk: Desk, files: readonly File[]): Promise<void> {
  for (const file of files) insertPicture(desk, await addPicture(pictures(desk), file));
}

function insertPicture(desk: Desk, picture: Picture | undefined): void {
  if (picture === undefined) return;
  const { alt, url } = picture;
  const quoted = alt.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const isHtml = fieldOf(desk, "kind")?.value === "html";
  insert(
    desk.editor,
    isHtml ? `<img src="${url}" alt="${quoted}">` : `![${alt.replaceAll(/[[\]\\]/g, "\\$&")}](${url})`,
  );
}

export function pictureButton(desk: Desk, name: string): HTMLElement {
  const button = element("button", { type: "button", className: "quiet", textContent: "Choose a picture" });
  button.addEventListener("click", () => void chooseFor(desk, name));
  return button;
}

async function chooseFor(desk: Desk, name: string): Promise<void> {
  const picture = await choosePicture(pictures(desk));
  if (picture === undefined) return;
  await post(pictures(desk), new URLSearchParams({ id: picture.id, alt: picture.alt }));
  fill(desk, { [name]: picture.url });
}
