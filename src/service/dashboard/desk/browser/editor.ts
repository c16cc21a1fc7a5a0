import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import { highlightConflicts } from "./conflicts.ts";
import { readPastedHtml, type PastedDocument } from "./paste.ts";

const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], "markdown");

const colors = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--link)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment], color: "var(--soft)" },
  { tag: [tags.monospace, tags.labelName], color: "var(--good)" },
]);

const theme = EditorView.theme({
  "&": { border: "1px solid var(--edge)", borderRadius: "8px", background: "var(--raised)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.9rem", lineHeight: "1.6", height: "34rem" },
  ".cm-content": { padding: "0.8rem", caretColor: "var(--ink)" },
  ".cm-panels": { background: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { background: "var(--chart-soft)" },
});

export interface EditorOptions {
  readonly textarea: HTMLTextAreaElement;
  readonly nonce: string;
  readonly label: string;
  onChange(): void;
  onFiles(files: readonly File[]): void;
  onDocument(pasted: PastedDocument): void;
  isMarkdown(): boolean;
}

/** Replaces a text area with CodeMirror, and keeps their text in sync for the form. */
export function createEditor(options: EditorOptions): EditorView {
  const { textarea } = options;
  const extensions: Extension[] = [
    history(),
    search({ top: true }),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(options.nonce),
    EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true", autocapitalize: "sentences" }),
    Prec.high(
      keymap.of([
        {
          key: "Mod-b",
          run: (view) => (options.isMarkdown() ? wrap(view, "**") : wrap(view, "<strong>", "</strong>")),
        },
        { key: "Mod-i", run: (view) => (options.isMarkdown() ? wrap(view, "*") : wrap(view, "<em>", "</em>")) },
        { key: "Enter", run: (view) => options.isMarkdown() && continueList(view) },
      ]),
    ),
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    markdown,
    syntaxHighlighting(colors),
    theme,
    highlightConflicts,
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const text = update.state.doc.toString();
      if (textarea.value !== text) textarea.value = text;
      options.onChange();
    }),
    takePictures(options),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: textarea.value, extensions }) });
  textarea.before(view.dom);
  textarea.hidden = true;
  return view;
}

/** Handles pasted and dropped images, and pasted documents as Markdown. */
function takePictures(options: EditorOptions): Extension {
  return EditorView.domEventHandlers({
    paste(event) {
      const data = event.clipboardData;
      const files = picturesIn(data);
      const pasted = options.isMarkdown() ? readPastedHtml(data?.getData("text/html") ?? "", files) : undefined;
      if (pasted === undefined && files.length === 0) return false;
      event.preventDefault();
      if (pasted === undefined) options.onFiles(files);
      else options.onDocument(pasted);
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      // CodeMirror inserts the text of files. Of others, adding them as a picture says why they aren't one.
      if (files.every(isText)) return false;
      event.preventDefault();
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (place !== null) view.dispatch({ selection: { anchor: place } });
      options.onFiles(files);
      return true;
    },
  });
}

function isText({ name, type }: File): boolean {
  return type.startsWith("text/") || /\.(?:mdx?|markdown)$/i.test(name);
}

export function picturesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Adds marks around the selection, or removes them. */
export function wrap(view: EditorView, before: string, after = before): boolean {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  const isMarked = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  const insert = isMarked ? text.slice(before.length, -after.length) : `${before}${text}${after}`;
  const inner = isMarked ? from : from + before.length;
  const length = isMarked ? insert.length : text.length;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: inner, head: inner + length } });
  view.focus();
  return true;
}

/** Adds a mark to every selected line, or removes it if all lines have it. */
export function prefixLines(view: EditorView, mark: string): void {
  const { doc, selection } = view.state;
  const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
  const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
  const areMarked = lines.every(({ text }) => text.startsWith(mark));
  const changes = lines.map(({ from }) =>
    areMarked ? { from, to: from + mark.length, insert: "" } : { from, to: from, insert: mark },
  );
  view.dispatch({ changes });
  view.focus();
}

export function insert(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { userEvent: "input" });
  view.focus();
}

/** Inserts a text as a paragraph of its own where one begins or ends; within a paragraph or a list, as it is. */
export function insertBlock(view: EditorView, text: string): void {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  const isListed = ITEM.test(first.text) || first.text.startsWith("|");
  const [isAtStart, isAtEnd] = [from === first.from, to === last.to];
  // A line right above or below would be part of the same paragraph.
  const isText = (number: number) => number > 0 && number <= doc.lines && doc.line(number).text.trim() !== "";
  const before = isAtEnd && !isAtStart ? "\n\n" : isAtStart && isText(first.number - 1) ? "\n" : "";
  const after = isAtStart && !isAtEnd ? "\n\n" : isAtEnd && isText(last.number + 1) ? "\n" : "";
  insert(view, isListed ? text : `${before}${text}${after}`);
}

const ITEM = /^(\s*(?:[-*+]|(\d{1,9})([.)]))\s+(?:\[[ xX]\]\s+)?|\s*(?:>\s?)+)/;

/** Continues a list or quotation on a new line; an empty item ends it. */
function continueList(view: EditorView): boolean {
  const { state } = view;
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from);
  const [mark = "", , number, sign] = ITEM.exec(line.text) ?? [];
  if (mark === "" || from < line.from + mark.length) return false;
  if (line.text.trim() === mark.trim()) {
    // Without a blank line, the next text would continue the last item.
    const isAfterItem = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== "";
    const insert = isAfterItem ? "\n" : "";
    view.dispatch({
      changes: { from: line.from, to: line.to, insert },
      selection: { anchor: line.from + insert.length },
      scrollIntoView: true,
    });
    return true;
  }
  const next = mark.replace(/\[[xX]\]/, "[ ]");
  const counted = number === undefined ? next : next.replace(`${number}${sign}`, `${Number(number) + 1}${sign}`);
  view.dispatch({
    changes: { from, to, insert: `\n${counted}` },
    selection: { anchor: from + 1 + counted.length },
    scrollIntoView: true,
  });
  return true;
}
