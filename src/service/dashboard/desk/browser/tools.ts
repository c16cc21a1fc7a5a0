import { insert, prefixLines, wrap } from "./editor.ts";
import { addPicture, choosePicture, type Picture, type Pictures } from "./pictures.ts";
import { fieldOf, fill, send, type Desk } from "./state.ts";

/** Brings the buttons above the text to life. */
export function startTools(desk: Desk): void {
  const { editor } = desk;
  const tools: Readonly<Record<string, (button: HTMLButtonElement) => void>> = {
    Heading: () => prefixLines(editor, "## "),
    Bold: () => void wrap(editor, "**"),
    Italic: () => void wrap(editor, "*"),
    Code: () => void wrap(editor, "`"),
    List: () => prefixLines(editor, "- "),
    "Numbered list": () => prefixLines(editor, "1. "),
    Quote: () => prefixLines(editor, "> "),
    Link: () => insert(editor, `[${selected(desk)}](https://)`),
    Picture: () => void choosePicture(pictures(desk)).then((picture) => insertPicture(desk, picture)),
    "Plain text area": (button) => switchPlain(desk, button),
  };
  for (const button of desk.form.querySelectorAll<HTMLButtonElement>("button[data-tool]")) {
    button.addEventListener("click", () => tools[button.dataset["tool"] ?? ""]?.(button));
  }
  for (const button of desk.form.querySelectorAll<HTMLButtonElement>("button[data-choose]")) {
    button.addEventListener("click", () => void chooseFor(desk, button.dataset["choose"] ?? ""));
  }
  const { textarea } = desk;
  textarea.addEventListener("input", () => {
    const { value, selectionEnd } = textarea;
    const changes = { from: 0, to: editor.state.doc.length, insert: value };
    editor.dispatch({ changes, selection: { anchor: selectionEnd } });
    textarea.setSelectionRange(selectionEnd, selectionEnd);
  });
}

/** Shows the browser's own text area in the place of the editor, for who works better with it. */
function switchPlain({ editor, textarea }: Desk, button: HTMLButtonElement): void {
  const isPlain = button.ariaPressed !== "true";
  button.ariaPressed = String(isPlain);
  editor.dom.hidden = isPlain;
  textarea.hidden = !isPlain;
  if (isPlain) textarea.focus();
  else editor.focus();
}

function selected(desk: Desk): string {
  const { from, to } = desk.editor.state.selection.main;
  return desk.editor.state.sliceDoc(from, to);
}

function pictures({ form: { dataset } }: Desk): Pictures {
  return { path: dataset["pictures"] ?? "", maxBytes: Number(dataset["maxBytes"]) };
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

async function chooseFor(desk: Desk, name: string): Promise<void> {
  const picture = await choosePicture(pictures(desk));
  if (picture === undefined) return;
  await send(pictures(desk).path, new URLSearchParams({ id: picture.id, alt: picture.alt }));
  fill(desk, { [name]: picture.url });
}
