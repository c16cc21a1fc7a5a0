import {
  HTML_NAMESPACE,
  type ElementSource,
  type Growing,
  type HtmlElement,
  type HtmlText,
  type SourceRange,
} from "../tree.ts";
import type { StartTag } from "./scan.ts";
import type { Content } from "./tag-rules.ts";

export interface GrowingElement extends Growing<HtmlElement> {
  source: Growing<ElementSource> | undefined;
}

/** An open element. Frames are reused for other elements at the same depth. */
export interface Frame {
  element: GrowingElement;
  /** The kind of content inside the element. */
  content: Content;
  /** Bits for the elements that are open around this position. */
  scope: number;
  last: GrowingElement | Growing<HtmlText> | undefined;
  readonly below: Frame | undefined;
  above: Frame | undefined;
}

export interface State {
  readonly text: string;
  position: number;
  frame: Frame;
  /** The frame of the `<html>` element. */
  readonly root: Frame;
  doctypeEnd: number | undefined;
  /** Why the text is left to a complete parser. */
  refusal: string | undefined;
}

export function createState(text: string): State {
  const element = createElement({ name: "html", attrs: [] }, HTML_NAMESPACE, undefined);
  const root: Frame = { element, content: "initial", scope: 0, last: undefined, below: undefined, above: undefined };
  return { text, position: 0, frame: root, root, doctypeEnd: undefined, refusal: undefined };
}

function createElement(
  { name, attrs }: Pick<StartTag, "name" | "attrs">,
  namespaceURI: string,
  parent: HtmlElement | undefined,
): GrowingElement {
  return {
    kind: "element",
    tagName: name,
    namespaceURI,
    attrs,
    parent,
    firstChild: undefined,
    next: undefined,
    source: undefined,
  };
}

export function refuse(state: State, reason: string): void {
  state.refusal ??= reason;
}

/** Appends the element of a start tag to the open one without opening it. */
export function appendElement(state: State, tag: StartTag, namespaceURI: string): GrowingElement {
  const element = createElement(tag, namespaceURI, parentIn(state.frame));
  element.source = sourceOf(tag);
  append(state.frame, element);
  return element;
}

export function sourceOf({ start, end }: StartTag): Growing<ElementSource> {
  return { start, contentStart: end, endTagStart: undefined, end };
}

/** Opens an element that has no start tag. */
export function openUnwritten(state: State, tagName: string, content: Content): void {
  const element = createElement({ name: tagName, attrs: [] }, HTML_NAMESPACE, parentIn(state.frame));
  append(state.frame, element);
  openElement(state, element);
  state.frame.content = content;
}

function parentIn({ element }: Frame): HtmlElement | undefined {
  return element.tagName === "template" && element.namespaceURI === HTML_NAMESPACE ? undefined : element;
}

function append(frame: Frame, node: GrowingElement | Growing<HtmlText>): void {
  if (frame.last === undefined) frame.element.firstChild = node;
  else frame.last.next = node;
  frame.last = node;
}

export function appendText(frame: Frame, value: string): void {
  if (value === "") return;
  if (frame.last?.kind === "text") frame.last.value += value;
  else append(frame, { kind: "text", value, next: undefined });
}

/** Makes an element the open one, initially with the content and scope of its parent. */
export function openElement(state: State, element: GrowingElement): void {
  const below = state.frame;
  const { content, scope } = below;
  const frame = below.above;
  if (frame === undefined) {
    state.frame = { element, content, scope, last: undefined, below, above: undefined };
    below.above = state.frame;
  } else {
    frame.element = element;
    frame.content = content;
    frame.scope = scope;
    frame.last = undefined;
    state.frame = frame;
  }
}

export function closeElement(state: State, tag: SourceRange): void {
  endByTag(state.frame.element, tag);
  leaveElement(state);
}

/** Closes the open element because of a tag that begins at `place`. */
export function closeUnended(state: State, place: number): void {
  endAt(state.frame.element, place);
  leaveElement(state);
}

function leaveElement(state: State): void {
  if (state.frame.below === undefined) refuse(state, "more closed than open");
  else state.frame = state.frame.below;
}

export function endByTag({ source }: GrowingElement, { start, end }: SourceRange): void {
  if (source === undefined) return;
  source.endTagStart = start;
  source.end = end;
}

export function endAt({ source }: GrowingElement, place: number): void {
  if (source !== undefined) source.end = place;
}
