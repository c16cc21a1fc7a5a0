// How each HTML element may begin and end while the tree stays unambiguous: every element is closed by its own end tag,
// or by a tag that certainly closes it. Anything else is left to a complete parser.

/** What is being read, which determines the effect of a tag: an element's content, or a part of the document. */
export type Content =
  | "initial"
  | "before-head"
  | "head"
  | "head-noscript"
  | "after-head"
  | "flow"
  | "select"
  | "table"
  | "table-body"
  | "row"
  | "columns"
  | "svg"
  | "math"
  | "math-text"
  | "after-body"
  | "after-html";

// Bits for open elements that change the effect of a start tag.
export const OPEN_PARAGRAPH = 1;
export const OPEN_LINK = 2;
export const OPEN_BUTTON = 4;
export const OPEN_FORM = 8;
export const OPEN_ITEM = 16;
export const OPEN_DEFINITION = 32;

const SCOPE = OPEN_PARAGRAPH | OPEN_BUTTON;
const ITEMS = OPEN_ITEM | OPEN_DEFINITION;

/** Bits that an SVG integration point hides from its content. */
export const HIDDEN_BY_SVG = SCOPE | ITEMS;

export interface TagRule {
  /** `raw` contains no markup, `escapable` only character references, `void` nothing. */
  readonly body: "markup" | "raw" | "escapable" | "void";
  readonly allowedIn: ReadonlySet<Content>;
  /** Content mode inside the element; `undefined`: inherited. */
  readonly content: Content | undefined;
  /** Elements that its start tag closes. */
  readonly closes: ReadonlySet<string>;
  /** Elements that its end tag closes. */
  readonly endCloses: ReadonlySet<string>;
  /** Parents in which its start tag does more than open it. */
  readonly refusedUnder: ReadonlySet<string>;
  /** Bits of elements that must not be open around it. */
  readonly refusedIn: number;
  readonly opens: number;
  readonly hides: number;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const FLOW: ReadonlySet<Content> = new Set<Content>(["flow"]);
const IMPLIED_PHRASING: ReadonlySet<string> = names("optgroup option rb rp rt rtc");
const IMPLIED: ReadonlySet<string> = names("dd dt li optgroup option p rb rp rt rtc");
const HEADINGS: ReadonlySet<string> = names("h1 h2 h3 h4 h5 h6");
const PARAGRAPH: ReadonlySet<string> = names("p");
const CELLS = "td th";

/** Any element that the standard doesn't define, and those without special rules, such as `<span>`. */
export const PLAIN: TagRule = {
  body: "markup",
  allowedIn: FLOW,
  content: undefined,
  closes: NO_NAMES,
  endCloses: IMPLIED_PHRASING,
  refusedUnder: NO_NAMES,
  refusedIn: 0,
  opens: 0,
  hides: 0,
};

const REFUSED: TagRule = { ...PLAIN, allowedIn: new Set() };
/** Elements that end the search for an open list item. */
const SPECIAL: TagRule = { ...PLAIN, hides: ITEMS };
const FORMATTING: TagRule = { ...PLAIN, endCloses: NO_NAMES };
const VOID: TagRule = { ...PLAIN, body: "void" };
const BLOCK: TagRule = {
  ...SPECIAL,
  closes: PARAGRAPH,
  endCloses: IMPLIED,
  refusedIn: OPEN_PARAGRAPH,
};
/** Elements whose content is independent of what is open around them. */
const ISLAND: TagRule = { ...SPECIAL, endCloses: IMPLIED, hides: ITEMS | SCOPE | OPEN_LINK };
const TABLE_PART: TagRule = { ...SPECIAL, allowedIn: contents("table"), endCloses: NO_NAMES };

const IN_HEAD = contents("head", "flow");
const IN_HEAD_AND_NOSCRIPT = contents("head", "head-noscript", "flow");
const IN_TABLES = ["table", "table-body", "row"] as const;

const RULES: readonly (readonly [string, TagRule])[] = [
  ["address div", { ...BLOCK, hides: 0 }],
  ["p", { ...BLOCK, hides: 0, opens: OPEN_PARAGRAPH }],
  [
    "article aside blockquote center details dir dl fieldset figcaption figure footer header hgroup main menu nav ol",
    BLOCK,
  ],
  ["section summary ul pre listing", BLOCK],
  // The standard lets them close a paragraph but doesn't count them as special.
  ["dialog search", { ...BLOCK, hides: 0 }],
  ["h1 h2 h3 h4 h5 h6", { ...BLOCK, refusedUnder: HEADINGS }],
  ["form", { ...BLOCK, refusedIn: OPEN_PARAGRAPH | OPEN_FORM, opens: OPEN_FORM }],
  ["li", { ...BLOCK, closes: names("p li"), refusedIn: OPEN_PARAGRAPH | OPEN_ITEM, opens: OPEN_ITEM }],
  [
    "dd dt",
    { ...BLOCK, closes: names("p dd dt"), refusedIn: OPEN_PARAGRAPH | OPEN_DEFINITION, opens: OPEN_DEFINITION },
  ],
  ["button", { ...BLOCK, closes: NO_NAMES, refusedIn: OPEN_BUTTON, opens: OPEN_BUTTON, hides: ITEMS | OPEN_PARAGRAPH }],
  ["a", { ...FORMATTING, refusedIn: OPEN_LINK, opens: OPEN_LINK }],
  ["b big code em font i s small strike strong tt u", FORMATTING],
  ["rp rt", { ...PLAIN, refusedUnder: IMPLIED }],
  ["object", ISLAND],
  ["template", { ...ISLAND, allowedIn: contents("head", "flow", ...IN_TABLES), content: "flow", hides: ~0 }],
  ["noscript", { ...SPECIAL, allowedIn: IN_HEAD }],
  ["area br embed img input param source track wbr", VOID],
  ["hr", { ...VOID, closes: PARAGRAPH, refusedIn: OPEN_PARAGRAPH }],
  ["base", { ...VOID, allowedIn: IN_HEAD }],
  ["link meta", { ...VOID, allowedIn: IN_HEAD_AND_NOSCRIPT }],
  ["title", { ...PLAIN, body: "escapable", allowedIn: IN_HEAD }],
  ["textarea", { ...PLAIN, body: "escapable" }],
  ["style", { ...PLAIN, body: "raw", allowedIn: contents("head", "head-noscript", "flow", ...IN_TABLES) }],
  ["script", { ...PLAIN, body: "raw", allowedIn: contents("head", "flow", "select", ...IN_TABLES) }],
  ["iframe", { ...PLAIN, body: "raw" }],
  ["select", { ...SPECIAL, content: "select", endCloses: names("option optgroup") }],
  ["option", { ...PLAIN, allowedIn: contents("flow", "select"), closes: names("option"), endCloses: NO_NAMES }],
  [
    "optgroup",
    { ...PLAIN, allowedIn: contents("select"), closes: names("option optgroup"), endCloses: names("option") },
  ],
  [
    "table",
    {
      ...ISLAND,
      content: "table",
      endCloses: names(`${CELLS} tr tbody tfoot thead colgroup`),
      refusedIn: OPEN_PARAGRAPH,
      hides: ITEMS | SCOPE,
    },
  ],
  ["caption", { ...ISLAND, allowedIn: contents("table"), content: "flow" }],
  ["colgroup", { ...TABLE_PART, content: "columns", closes: names("colgroup") }],
  ["col", { ...VOID, allowedIn: contents("columns") }],
  [
    "tbody tfoot thead",
    {
      ...TABLE_PART,
      content: "table-body",
      closes: names(`${CELLS} tr tbody tfoot thead colgroup`),
      endCloses: names(`${CELLS} tr`),
    },
  ],
  [
    "tr",
    {
      ...TABLE_PART,
      allowedIn: contents("table-body"),
      content: "row",
      closes: names(`${CELLS} tr colgroup`),
      endCloses: names(CELLS),
    },
  ],
  [CELLS, { ...ISLAND, allowedIn: contents("row"), content: "flow", closes: names(CELLS) }],
  // Obsolete, or with rules that no ordinary page needs.
  ["applet basefont bgsound frame frameset image keygen marquee nobr noembed noframes plaintext rb rtc xmp", REFUSED],
  // Handled with the parts of a document.
  ["html head body", REFUSED],
];

const BY_NAME: ReadonlyMap<string, TagRule> = new Map(
  RULES.flatMap(([tags, rule]) => tags.split(" ").map((tag) => [tag, rule] as const)),
);

/** Returns the rule for an HTML element; every name has one. */
export function ruleOf(tagName: string): TagRule {
  return BY_NAME.get(tagName) ?? PLAIN;
}

/** Tags that end, or may end, an enclosing `<svg>` or `<math>`. */
export const LEAVING_FOREIGN: ReadonlySet<string> = names(
  "b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

/** Elements of an `<svg>` that contain HTML. */
export const HTML_IN_SVG: ReadonlySet<string> = names("desc foreignobject title");

/** Elements of a `<math>` that contain text, and HTML with special rules. */
export const TEXT_IN_MATH: ReadonlySet<string> = names("mi mn mo ms mtext");

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

function contents(...list: readonly Content[]): ReadonlySet<Content> {
  return new Set(list);
}
