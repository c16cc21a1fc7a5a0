import { StateField, type EditorState, type Range } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { countConflicts, describeConflicts, MEANWHILE, YOURS } from "../../../../base/conflict-marks.ts";
import { element } from "./dialogs.ts";

/** Highlights the places with two versions of a text. */
export const highlightConflicts = [
  StateField.define<DecorationSet>({
    create: decorate,
    update: (known, { docChanged, state }) => (docChanged ? decorate(state) : known),
    provide: (field) => EditorView.decorations.from(field),
  }),
  EditorView.theme({
    ".cm-conflict": { borderLeft: "4px solid var(--bad)", background: "var(--bad-paper)" },
    ".cm-conflict-mark": { fontWeight: "700" },
  }),
];

function decorate({ doc }: EditorState): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  let isWithin = false;
  for (let number = 1; number <= doc.lines; number++) {
    const { text, from } = doc.line(number);
    const isMark = text === YOURS || text === MEANWHILE || (isWithin && text === "=======");
    if (isMark || isWithin) {
      decorations.push(Decoration.line({ class: `cm-conflict${isMark ? " cm-conflict-mark" : ""}` }).range(from));
    }
    if (text === YOURS || text === MEANWHILE) isWithin = text === YOURS;
  }
  return Decoration.set(decorations);
}

/** Shows above the text how many places need a decision, with a button that goes to the next one. */
export function showConflicts(editor: EditorView, above: Element): { update(): void } {
  const sentence = element("span");
  const next = element("button", { type: "button", className: "quiet", textContent: "Go to the next one" });
  const notice = element("p", { className: "warning", hidden: true });
  notice.setAttribute("role", "status");
  next.addEventListener("click", () => goToConflict(editor));
  notice.append(sentence, " ", next);
  above.before(notice);
  const update = () => {
    const conflicts = countConflicts(editor.state.doc.toString());
    notice.hidden = conflicts === 0;
    const text = conflicts === 0 ? "" : describeConflicts(conflicts);
    // Only a new number is announced.
    if (sentence.textContent !== text) sentence.textContent = text;
  };
  update();
  return { update };
}

/** Selects the first mark after the selection, or the first one. */
function goToConflict(editor: EditorView): void {
  const { doc, selection } = editor.state;
  const marks = Array.from({ length: doc.lines }, (_, index) => doc.line(index + 1)).filter(
    ({ text }) => text === YOURS || text === MEANWHILE,
  );
  const starts = marks.filter(({ text }, at) => text === YOURS || marks[at - 1]?.text !== YOURS);
  const line = starts.find(({ from }) => from > selection.main.head) ?? starts[0];
  if (line !== undefined) {
    editor.dispatch({
      selection: { anchor: line.from },
      effects: EditorView.scrollIntoView(line.from, { y: "start" }),
    });
  }
  editor.focus();
}
