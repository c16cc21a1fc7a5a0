import { HTML_NAMESPACE, type SourceRange } from "../tree.ts";
import { skipSpace, type StartTag } from "./scan-tag.ts";
import { decodeReferences } from "./scan-text.ts";
import {
  appendElement,
  appendText,
  closeElement,
  closeUnended,
  endAt,
  endByTag,
  openElement,
  openUnwritten,
  refuse,
  sourceOf,
  type GrowingElement,
  type State,
} from "./state.ts";
import type { Content, TagRule } from "./tag-rules.ts";

// The parts of a document, `<html>`, `<head>` and `<body>`, are there whether their tags are written or not.

/**
 * Opens and closes the parts of the document that a start tag needs where it stands. Tells whether that was all,
 * because it is the tag of such a part itself.
 */
export function enterContent(state: State, tag: StartTag, rule: TagRule): boolean {
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
    // It would still become a part of the head.
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

/** What comes behind the end of the body still belongs to it, as the scripts that Astro puts behind all. */
function resumeBody({ frame }: State): void {
  if (frame.content === "after-body" || frame.content === "after-html") frame.content = "flow";
}

/** The end tag of a part of the document. */
export function endPart(state: State, name: string, tag: SourceRange): void {
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

/** Text where a body is not open, or not only a body: white space has its own rules there. */
export function readTextBetween(state: State, raw: string): void {
  const { frame } = state;
  const spaceEnd = skipSpace(raw, 0);
  if (frame.content !== "initial" && frame.content !== "before-head") appendText(frame, raw.slice(0, spaceEnd));
  if (spaceEnd === raw.length) return;
  resumeBody(state);
  // What is written as `&#32;` is white space as well.
  const { content } = frame;
  if (content !== "flow" && (raw.startsWith("&", spaceEnd) || !enterBody(state))) {
    return refuse(state, `text in ${content}`);
  }
  appendText(state.frame, decodeReferences(raw.slice(spaceEnd)));
}

/** Opens the body if it was not open yet; `false` where that can't be done for sure. */
function enterBody(state: State): boolean {
  if (state.frame.content === "initial") state.frame.content = "before-head";
  if (state.frame.content === "before-head") openUnwritten(state, "head", "head");
  if (state.frame.content === "head") {
    // parse5 takes another tag for the one that ends a written head here.
    if (state.frame.element.source !== undefined) return false;
    leaveHead(state, state.position);
  }
  if (state.frame.content !== "after-head") return false;
  openUnwritten(state, "body", "flow");
  return true;
}

/** Completes the document where the text ends. */
export function endDocument(state: State): void {
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
