import { decodeReferences } from "../../base/decode-references.ts";
import { HTML_NAMESPACE, MATH_NAMESPACE, SVG_NAMESPACE, type HtmlDocument, type SourceRange } from "../tree.ts";
import {
  endOfComment,
  endOfEndTag,
  endOfTagName,
  findMarkup,
  findRawEnd,
  isLetter,
  lowerCase,
  normalizeBreaks,
  scanStartTag,
  skipSpace,
  type StartTag,
} from "./scan.ts";
import {
  appendElement,
  appendText,
  closeElement,
  closeUnended,
  createState,
  endAt,
  endByTag,
  openElement,
  openUnwritten,
  refuse,
  sourceOf,
  type GrowingElement,
  type State,
} from "./state.ts";
import {
  HIDDEN_BY_SVG,
  HTML_IN_SVG,
  LEAVING_FOREIGN,
  ruleOf,
  TEXT_IN_MATH,
  type Content,
  type TagRule,
} from "./tag-rules.ts";

type QuickResult =
  | { readonly kind: "parsed"; readonly document: HtmlDocument }
  /** `reason` names the construct, for maintainers of the rules. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Parses a text as an HTML document if it is written so plainly that its tree is certain and equals the result of
 * `parseByStandard`. Refuses every other text: elements not closed in order, content that a table would push out, tags
 * that the standard ignores or adds, and obsolete elements.
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

/**
 * Closes the elements that the end tag of an enclosing HTML element implies. Returns whether that element is then the
 * open one.
 */
function closeImplied(state: State, name: string, place: number): boolean {
  const { endCloses } = ruleOf(name);
  let { element } = state.frame;
  while (element.tagName !== name && endCloses.has(element.tagName) && element.namespaceURI === HTML_NAMESPACE) {
    closeUnended(state, place);
    ({ element } = state.frame);
  }
  return element.tagName === name && element.namespaceURI === HTML_NAMESPACE;
}

/** Reads the start tag whose `<` is at `state.position`, and all of an element such as `<script>`. */
function readStartTag(state: State): void {
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
  // Rows directly inside a table belong to an implied `<tbody>`.
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

function startDrawing(state: State, tag: StartTag): void {
  const element = appendElement(state, tag, tag.name === "svg" ? SVG_NAMESPACE : MATH_NAMESPACE);
  if (tag.isSelfClosing) return;
  openElement(state, element);
  state.frame.content = tag.name === "svg" ? "svg" : "math";
}

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

// `<html>`, `<head>`, and `<body>` exist even if their tags are omitted.

/**
 * Opens and closes the parts of the document that a start tag requires at its position. Returns whether that was all,
 * because the tag itself is for such a part.
 */
function enterContent(state: State, tag: StartTag, rule: TagRule): boolean {
  resumeBody(state);
  if (state.frame.content === "initial") {
    state.frame.content = "before-head";
    if (tag.name === "html") {
      state.root.element.attrs = tag.attrs;
      state.root.element.source = sourceOf(tag);
      return true;
    }
  }
  if (state.frame.content === "before-head") {
    if (tag.name === "head") {
      openPart(state, tag, "head");
      return true;
    }
    openUnwritten(state, "head", "head");
  }
  if (state.frame.content === "head") {
    if (rule.allowedIn.has("head") || tag.name === "html" || tag.name === "head") return false;
    leaveHead(state, tag.start);
  } else if (state.frame.content === "after-head" && rule.allowedIn.has("head")) {
    // It would still become part of the head.
    return false;
  }
  if (state.frame.content !== "after-head" || tag.name === "html" || tag.name === "head") return false;
  if (tag.name === "body") {
    openPart(state, tag, "flow");
    return true;
  }
  openUnwritten(state, "body", "flow");
  return false;
}

function openPart(state: State, tag: StartTag, content: "head" | "flow"): void {
  openElement(state, appendElement(state, tag, HTML_NAMESPACE));
  state.frame.content = content;
}

function leaveHead(state: State, place: number): void {
  closeUnended(state, place);
  state.root.content = "after-head";
}

/** Content after the end of the body still belongs to it, such as the scripts that Astro appends. */
function resumeBody({ frame }: State): void {
  if (frame.content === "after-body" || frame.content === "after-html") frame.content = "flow";
}

function endPart(state: State, name: string, tag: SourceRange): void {
  const { frame, root } = state;
  const isBody = frame.below === root && frame.element.tagName === "body";
  if (name === "head" && frame.content === "head") {
    closeElement(state, tag);
    root.content = "after-head";
  } else if (name === "body" && isBody && frame.content === "flow") {
    endByTag(frame.element, tag);
    frame.content = "after-body";
  } else if (name === "html" && isBody && (frame.content === "flow" || frame.content === "after-body")) {
    endUnlessEnded(frame.element, tag.start);
    endByTag(root.element, tag);
    frame.content = "after-html";
  } else {
    refuse(state, `</${name}> in ${frame.content}`);
  }
}

/** Handles text where the body isn't open or not yet certain: whitespace has special rules there. */
function readTextBetween(state: State, raw: string): void {
  const { frame } = state;
  const spaceEnd = skipSpace(raw, 0);
  if (frame.content !== "initial" && frame.content !== "before-head") appendText(frame, raw.slice(0, spaceEnd));
  if (spaceEnd === raw.length) return;
  resumeBody(state);
  // `&#32;` is also whitespace.
  const { content } = frame;
  if (content !== "flow" && (raw.startsWith("&", spaceEnd) || !enterBody(state))) {
    return refuse(state, `text in ${content}`);
  }
  appendText(state.frame, decodeReferences(raw.slice(spaceEnd)));
}

/** Opens the body if it isn't open yet; `false` if that isn't certain to be right. */
function enterBody(state: State): boolean {
  if (state.frame.content === "initial") state.frame.content = "before-head";
  if (state.frame.content === "before-head") openUnwritten(state, "head", "head");
  if (state.frame.content === "head") {
    // parse5 reports another tag as the end of an explicit head here.
    if (state.frame.element.source !== undefined) return false;
    leaveHead(state, state.position);
  }
  if (state.frame.content !== "after-head") return false;
  openUnwritten(state, "body", "flow");
  return true;
}

function endDocument(state: State): void {
  const { root, text } = state;
  if (EARLY.has(state.frame.content) && !enterBody(state)) return refuse(state, "the end in a head");
  const { element: body, below } = state.frame;
  if (below !== root || body.tagName !== "body") return refuse(state, `<${body.tagName}> open at the end`);
  if (root.element.source === undefined || root.element.source.endTagStart !== undefined) return;
  endUnlessEnded(root.element, text.length);
  endUnlessEnded(body, text.length);
}

function endUnlessEnded(element: GrowingElement, place: number): void {
  if (element.source?.endTagStart === undefined) endAt(element, place);
}

const EARLY: ReadonlySet<Content> = new Set<Content>(["initial", "before-head", "head", "after-head"]);
