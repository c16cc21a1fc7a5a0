import { element } from "./dialogs.ts";
import { insert, insertBlock, picturesIn, prefixLines, wrap } from "./editor.ts";
import { addPicture, choosePicture, describePicture, type Picture, type Pictures } from "./pictures.ts";
import type { PastedDocument } from "./paste.ts";
import { fieldOf, fill, send, type Desk } from "./state.ts";

/** Activates the buttons above the text. */
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
    const name = button.dataset["tool"] ?? "";
    button.addEventListener("click", () => {
      const tags = isHtml(desk) ? HTML_TAGS[name] : undefined;
      if (tags === undefined) tools[name]?.(button);
      else wrap(editor, ...tags);
    });
  }
  for (const button of desk.form.querySelectorAll<HTMLButtonElement>("button[data-choose]")) {
    const name = button.dataset["choose"] ?? "";
    button.addEventListener(
      "click",
      () => void choosePicture(pictures(desk)).then((picture) => use(desk, name, picture)),
    );
    takePicture(desk, name, button);
  }
  // A file dropped outside a field must not replace the page.
  for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());
  const { textarea } = desk;
  textarea.addEventListener("input", () => {
    const { value, selectionEnd } = textarea;
    const changes = { from: 0, to: editor.state.doc.length, insert: value };
    editor.dispatch({ changes, selection: { anchor: selectionEnd } });
    textarea.setSelectionRange(selectionEnd, selectionEnd);
  });
}

const HTML_TAGS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  Heading: ["<h2>", "</h2>"],
  Bold: ["<strong>", "</strong>"],
  Italic: ["<em>", "</em>"],
  Code: ["<code>", "</code>"],
  List: ["<ul>\n<li>", "</li>\n</ul>"],
  "Numbered list": ["<ol>\n<li>", "</li>\n</ol>"],
  Quote: ["<blockquote>\n<p>", "</p>\n</blockquote>"],
  Link: ['<a href="https://">', "</a>"],
};

function isHtml(desk: Desk): boolean {
  return fieldOf(desk, "kind")?.value === "html";
}

/** Switches between the editor and the browser's own text area, which some users prefer. */
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

function pictures(desk: Desk): Pictures {
  const { dataset } = desk.form;
  const writer = fieldOf(desk, "writer")?.value ?? "";
  return { path: dataset["pictures"] ?? "", writer, maxBytes: Number(dataset["maxBytes"]) };
}

export async function addFiles(desk: Desk, files: readonly File[]): Promise<void> {
  for (const file of files) await insertPicture(desk, await addPicture(pictures(desk), file));
}

/** Pastes a document, whose pictures are added as dropped ones are, and says which of them aren't. */
export async function pasteDocument(desk: Desk, pasted: PastedDocument): Promise<void> {
  for (const { image, file } of pasted.pictures) {
    const picture = await addPicture(pictures(desk), file);
    const alt = picture && (image.alt || (await describePicture(picture)));
    if (picture === undefined || alt === undefined) image.remove();
    else Object.assign(image, { src: picture.url, alt });
  }
  desk.editor.dispatch(desk.editor.state.replaceSelection(pasted.write()), { userEvent: "input.paste" });
  desk.form.querySelector(".pasted")?.remove();
  const sentences = [sayMissing(pasted), sayElsewhere(pasted)].filter((sentence) => sentence !== undefined);
  if (sentences.length === 0) return;
  const close = element("button", { type: "button", className: "quiet", textContent: "Close" });
  const notice = element("p", { className: "notice pasted" });
  notice.setAttribute("role", "status");
  close.addEventListener("click", () => notice.remove());
  notice.append(sentences.join(" "), " ", close);
  desk.form.querySelector(".desk-panes")?.before(notice);
}

function sayMissing({ missing }: PastedDocument): string | undefined {
  if (missing === 0) return undefined;
  return missing === 1
    ? "1 picture wasn’t pasted, because the clipboard doesn’t contain it: drop its file into the text."
    : `${missing} pictures weren’t pasted, because the clipboard doesn’t contain them: drop their files into the text.`;
}

function sayElsewhere({ hosts }: PastedDocument): string | undefined {
  if (hosts.length === 0) return undefined;
  const where = [...new Set(hosts)].join(", ");
  return hosts.length === 1
    ? `1 picture stays at ${where}, from where it can disappear: download it, then drop it into the text instead.`
    : `${hosts.length} pictures stay at ${where}, from where they can disappear: download them, then drop them into the text instead.`;
}

async function insertPicture(desk: Desk, picture: Picture | undefined): Promise<void> {
  const alt = picture && (await describePicture(picture));
  if (picture === undefined || alt === undefined) return;
  const { url } = picture;
  const quoted = alt.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  insertBlock(
    desk.editor,
    isHtml(desk) ? `<img src="${url}" alt="${quoted}">` : `![${alt.replaceAll(/[[\]\\]/g, "\\$&")}](${url})`,
  );
}

/** Lets users drop or paste an image into a field for its URL. */
function takePicture(desk: Desk, name: string, button: HTMLButtonElement): void {
  const field = button.parentElement;
  const hint = element("p", { className: "hint", textContent: "You can also drop or paste a picture here." });
  button.after(hint);
  showPicture(desk, name, button);
  const take = (event: Event, data: DataTransfer | null) => {
    const [file] = picturesIn(data);
    if (file === undefined) return;
    event.preventDefault();
    void addPicture(pictures(desk), file).then((picture) => use(desk, name, picture));
  };
  const mark = (isOver: boolean) => field?.classList.toggle("over", isOver);
  field?.addEventListener("paste", (event) => take(event, event.clipboardData));
  field?.addEventListener("dragover", () => mark(true));
  field?.addEventListener("dragleave", () => mark(false));
  field?.addEventListener("drop", (event) => (mark(false), take(event, event.dataTransfer)));
}

/** Shows the image that a field for its URL refers to, if the library or the project has it. */
function showPicture(desk: Desk, name: string, button: HTMLButtonElement): void {
  const input = fieldOf(desk, name);
  if (input === undefined) return;
  const image = element("img", { className: "chosen", alt: input.labels?.[0]?.textContent ?? "", hidden: true });
  image.addEventListener("load", () => (image.hidden = false));
  image.addEventListener("error", () => (image.hidden = true));
  const show = () => {
    image.hidden = true;
    const address = input.value.trim();
    if (address !== "") image.src = `${pictures(desk).path}/shown?${new URLSearchParams({ address })}`;
  };
  input.addEventListener("change", show);
  button.before(image);
  show();
}

async function use(desk: Desk, name: string, picture: Picture | undefined): Promise<void> {
  if (picture === undefined) return;
  const altName = altFieldOf(desk, name);
  const isStored = picture.alt !== undefined;
  const alt = isStored || altName !== undefined ? await describePicture(picture) : "";
  if (alt === undefined) return;
  const { path, writer } = pictures(desk);
  if (isStored) await send(path, new URLSearchParams({ id: picture.id, alt, writer }));
  fill(desk, { [name]: picture.url, ...(altName !== undefined && alt !== "" && { [altName]: alt }) });
}

/** The field for an image's alternative text, if the front matter has one, such as `coverAlt` or `heroAlt`. */
function altFieldOf(desk: Desk, name: string): string | undefined {
  const stem = name.replace(/(?<=[a-z])(?:Image|Picture)$/, "");
  return [`${name}Alt`, `${stem}Alt`].find((each) => fieldOf(desk, each) !== undefined);
}
