import { HTML_NAMESPACE, MATH_NAMESPACE, SVG_NAMESPACE } from "../tree.ts";
import { enterContent } from "./document-parts.ts";
import { scanStartTag, type StartTag } from "./scan-tag.ts";
import { decodeReferences, endOfEndTag, findRawEnd, normalizeBreaks } from "./scan-text.ts";
import {
  appendElement,
  appendText,
  closeElement,
  closeUnended,
  openElement,
  openUnwritten,
  refuse,
  type State,
} from "./state.ts";
import { HIDDEN_BY_SVG, HTML_IN_SVG, LEAVING_FOREIGN, TEXT_IN_MATH, ruleOf, type TagRule } from "./tag-rules.ts";

/** Reads the start tag whose `<` stands at `state.position`, and of an element such as `<script>` all. */
export function readStartTag(state: State): void {
  const tag = scanStartTag(state.text, state.position);
  if (tag === undefined) return refuse(state, "a tag that does not end, or not soon");
  state.position = tag.end;
  const { content } = state.frame;
  if (content === "svg" || content === "math") return startForeign(state, tag);
  const rule = ruleOf(tag.name);
  if (content === "flow" || !enterContent(state, tag, rule)) startElement(state, tag, rule);
}

function startElement(state: State, tag: StartTag, rule: TagRule): void {
  while (rule.closes.has(state.frame.element.tagName)) closeUnended(state, tag.start);
  // Rows that stand directly in a table are in a `<tbody>` without tags.
  if (state.frame.content === "table" && tag.name === "tr") openUnwritten(state, "tbody", "table-body");
  const { content, scope, element: parent } = state.frame;
  if (!rule.allowedIn.has(content)) return refuse(state, `<${tag.name}> in ${content}`);
  if ((scope & rule.refusedIn) !== 0 || rule.refusedUnder.has(parent.tagName)) {
    return refuse(state, `<${tag.name}> inside what it ends`);
  }
  if (tag.name === "svg" || tag.name === "math") return startDrawing(state, tag);
  const element = appendElement(state, tag, HTML_NAMESPACE);
  if (rule.body === "void") return;
  openElement(state, element);
  state.frame.content = rule.content ?? (content === "head" ? "head-noscript" : content);
  state.frame.scope = (scope & ~rule.hides) | rule.opens;
  if (rule.body !== "markup") readRawText(state, tag, rule);
}

/** What is in an element that holds nothing but text, with its end tag. */
function readRawText(state: State, { name, end: start }: StartTag, rule: TagRule): void {
  const { text } = state;
  const end = findRawEnd(text, start, name);
  const tagEnd = end === undefined ? undefined : endOfEndTag(text, end + "</".length + name.length);
  if (end === undefined || tagEnd === undefined) return refuse(state, `the end of <${name}>`);
  const raw = normalizeBreaks(text.slice(start, end));
  const value = rule.body === "escapable" ? decodeReferences(raw) : raw;
  appendText(state.frame, name === "textarea" ? value.replace(/^\n/, "") : value);
  closeElement(state, { start: end, end: tagEnd });
  state.position = tagEnd;
}

/** An `<svg>` or `<math>` in a page. */
function startDrawing(state: State, tag: StartTag): void {
  const element = appendElement(state, tag, tag.name === "svg" ? SVG_NAMESPACE : MATH_NAMESPACE);
  if (tag.isSelfClosing) return;
  openElement(state, element);
  state.frame.content = tag.name === "svg" ? "svg" : "math";
}

/** A tag inside of an `<svg>` or `<math>`. */
function startForeign(state: State, tag: StartTag): void {
  const { content } = state.frame;
  if (LEAVING_FOREIGN.has(tag.name) || tag.name === "annotation-xml") {
    return refuse(state, `<${tag.name}> in ${content}`);
  }
  const element = appendElement(state, tag, content === "svg" ? SVG_NAMESPACE : MATH_NAMESPACE);
  if (tag.isSelfClosing) return;
  openElement(state, element);
  if (content === "math") {
    if (TEXT_IN_MATH.has(tag.name)) state.frame.content = "math-text";
  } else if (HTML_IN_SVG.has(tag.name)) {
    state.frame.content = "flow";
    state.frame.scope &= ~HIDDEN_BY_SVG;
  }
}
