import { HTML_NAMESPACE, type HtmlDocument } from "../tree.ts";
import { endDocument, endPart, readTextBetween } from "./document-parts.ts";
import { endOfTagName, lowerCase } from "./scan-tag.ts";
import { decodeReferences, endOfComment, endOfEndTag, findMarkup, isLetter, normalizeBreaks } from "./scan-text.ts";
import { readStartTag } from "./start-tag.ts";
import { appendText, closeElement, closeUnended, createState, refuse, type State } from "./state.ts";
import { ruleOf } from "./tag-rules.ts";

export type QuickResult =
  | { readonly kind: "parsed"; readonly document: HtmlDocument }
  /** `reason` tells what the text holds, for those who look after the rules. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Parses a text as an HTML document if it is written so plainly that there is no doubt about its tree, which then is
 * the one that `parseByStandard` gives. Refuses every other text: elements that are not closed in their order, what
 * a table pushes out, tags that the standard ignores or adds, and what is out of use.
 */
export function parseQuickly(text: string): QuickResult {
  const state = createState(text);
  if (text.includes("\0")) refuse(state, "a NUL character");
  while (state.refusal === undefined && state.position < text.length) {
    const place = findMarkup(text, state.position);
    if (place > state.position) readText(state, place);
    state.position = place;
    if (place < text.length) readMarkup(state);
  }
  if (state.refusal === undefined) endDocument(state);
  if (state.refusal !== undefined) return { kind: "refused", reason: state.refusal };
  return { kind: "parsed", document: { root: state.root.element, doctypeEnd: state.doctypeEnd } };
}

/** Reads the text from `state.position` up to `end`. */
function readText(state: State, end: number): void {
  const { frame, position } = state;
  const raw = normalizeBreaks(state.text.slice(position, end));
  switch (frame.content) {
    case "flow":
    case "select":
    case "svg":
    case "math":
    case "math-text": {
      const { tagName, source } = frame.element;
      const value = decodeReferences(raw);
      const isFirst = source?.contentStart === position && (tagName === "pre" || tagName === "listing");
      return appendText(frame, isFirst ? value.replace(/^\n/, "") : value);
    }
    default:
      return readTextBetween(state, raw);
  }
}

const SLASH = 0x2f;

function readMarkup(state: State): void {
  const { text, position } = state;
  const code = text.charCodeAt(position + 1);
  if (isLetter(code)) return readStartTag(state);
  if (code === SLASH && isLetter(text.charCodeAt(position + 2))) return readEndTag(state);
  if (text.startsWith("<!--", position)) return readComment(state);
  const [doctype] = matchDoctype(text, position) ?? [];
  if (doctype === undefined || state.frame.content !== "initial" || state.doctypeEnd !== undefined) {
    return refuse(state, `markup such as ${JSON.stringify(text.slice(position, position + 10))}`);
  }
  state.doctypeEnd = position + doctype.length;
  state.position = state.doctypeEnd;
}

function matchDoctype(text: string, position: number): RegExpExecArray | null {
  const pattern = /<!doctype[^>]*>/iy;
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function readComment(state: State): void {
  const end = endOfComment(state.text, state.position);
  if (end === undefined) refuse(state, "a comment that does not end");
  else state.position = end;
}

function readEndTag(state: State): void {
  const { text, position: start } = state;
  const nameEnd = endOfTagName(text, start + "</".length);
  const end = endOfEndTag(text, nameEnd);
  if (end === undefined) return refuse(state, "an end tag with more than a name");
  const name = lowerCase(text.slice(start + "</".length, nameEnd));
  state.position = end;
  if (name === "html" || name === "head" || name === "body") return endPart(state, name, { start, end });
  const { tagName } = state.frame.element;
  if (tagName === name || closeImplied(state, name, start)) return closeElement(state, { start, end });
  refuse(state, `</${name}> in <${tagName}>`);
}

/** Closes what the end tag of an HTML element around it closes. Tells whether that element is the open one then. */
function closeImplied(state: State, name: string, place: number): boolean {
  const { endCloses } = ruleOf(name);
  let { element } = state.frame;
  while (element.tagName !== name && endCloses.has(element.tagName) && element.namespaceURI === HTML_NAMESPACE) {
    closeUnended(state, place);
    ({ element } = state.frame);
  }
  return element.tagName === name && element.namespaceURI === HTML_NAMESPACE;
}
