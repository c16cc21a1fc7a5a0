import fc from "fast-check";

// Inputs for the parser: typical pages, mostly well nested, and tag soup.

const WORDS = ["word", " ", "\n", "a < b", "&amp;", "&copy", "&lt;p&gt;", "é", "&#x27;", "&nosuch;", "\r\n", "&notit;"];
const VALUES = ['="v"', "='v'", "=v", "", '="a &amp; b"', "=a/b/", '="&copy=1"', ' = "x"', '="two\nlines"', "=&lt"];
const NAMES = ["id", "class", "HREF", "data-x", "viewBox", "xlink:href", "xmlns", "hidden"];
const SPACES = [" ", "\n", "  ", "/", ""];

/** Possible character references. */
const reference = fc.stringMatching(/^&#?[xX]?[a-zA-Z0-9]{0,6}[;=&]?$/);
const value = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: reference.map((written) => `="${written}"`) },
);
const attribute = fc
  .tuple(fc.constantFrom(" ", " ", " ", "\n", "/"), fc.constantFrom(...NAMES), value)
  .map((parts) => parts.join(""));
const attributes = fc.array(attribute, { maxLength: 3 }).map((parts) => parts.join(""));
const word = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: reference });
const text = fc.array(word, { maxLength: 3 }).map((words) => words.join(""));
const comment = fc.constantFrom("<!-- c -->", "<!---->", "<!-->", "<!--a--!>", "<!--<b>-->", "<!--->");

const FLOW = [
  ..."div p ul ol li span a b i em strong code section article nav main header footer h1 h2 form button label".split(
    " ",
  ),
  ..."details summary dl dt dd figure figcaption blockquote pre address dialog search object x-y noscript".split(" "),
  ..."ruby rt datalist option select optgroup table caption colgroup tbody thead tr td th template svg math".split(" "),
];
const VOIDS = ["br", "img", "hr", "input", "link", "meta", "source", "wbr", "col", "base"];
const RAW = ["script", "style", "title", "textarea", "iframe"];
const FOREIGN = ["g", "path", "title", "desc", "foreignObject", "linearGradient", "a", "use", "style", "text"];
const MATH = ["mrow", "mi", "mo", "semantics", "annotation", "mfrac"];

const raw = fc
  .tuple(
    fc.constantFrom(...RAW),
    attributes,
    fc.constantFrom("", "a<b", "<p>", "&amp;", "\nx", "<!--", "</ b>", "x</sty"),
  )
  .map(([name, attrs, body]) => `<${name}${attrs}>${body}</${name}>`);
const single = fc
  .tuple(fc.constantFrom(...VOIDS), attributes, fc.constantFrom("", "/", " /"))
  .map(([name, attrs, end]) => `<${name}${attrs}${end}>`);

const TABLES = [
  "<table><tr><td>1<td>2<tr><th>3</table>",
  "<table><caption>c</caption><colgroup><col></colgroup><thead><tr><th>h</th></tr></thead><tbody><tr><td>",
  "<table>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>",
];
const LISTS = ["<ul><li>a<li>b</ul>", "<dl><dt>a<dd>b</dl>", "<select><option>a<option selected>b</select>"];

/** Nested elements with all their tags. */
const nested = fc.letrec<{ node: string; nodes: string; foreign: string; math: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: single },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: comment },
    { weight: 1, arbitrary: fc.constantFrom(...TABLES, ...LISTS) },
    { weight: 8, arbitrary: element(fc.constantFrom(...FLOW), tie("nodes")) },
    { weight: 1, arbitrary: element(fc.constant("svg"), tie("foreign")) },
    { weight: 1, arbitrary: element(fc.constant("math"), tie("math")) },
    { weight: 1, arbitrary: row(tie("nodes")) },
  ),
  nodes: fc.array(tie("node"), { maxLength: 3 }).map((nodes) => nodes.join("")),
  foreign: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        text,
        fc.tuple(fc.constantFrom(...FOREIGN), attributes).map(([name, attrs]) => `<${name}${attrs}/>`),
        element(fc.constantFrom(...FOREIGN), fc.oneof({ maxDepth: 3 }, tie("foreign"), tie("nodes"))),
      ),
      { maxLength: 3 },
    )
    .map((nodes) => nodes.join("")),
  math: fc
    .array(fc.oneof({ maxDepth: 3 }, text, element(fc.constantFrom(...MATH), tie("math"))), { maxLength: 3 })
    .map((nodes) => nodes.join("")),
}));

function element(name: fc.Arbitrary<string>, body: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(name, attributes, body, fc.nat(3)).map(([tag, attrs, inner, choice]) => {
    const isEnded = choice > 0 || !OFTEN_UNENDED.has(tag);
    return `<${tag}${attrs}>${inner}${isEnded ? `</${tag}>` : ""}`;
  });
}

const OFTEN_UNENDED = new Set("p li dd dt option optgroup td th tr tbody rt".split(" "));

function row(body: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(body, body).map(([one, other]) => `<table><tr><td>${one}</td><th>${other}</table>`);
}

/** A complete page or a fragment, nearly always well nested. */
export const page: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("<!DOCTYPE html>", "<!doctype html>\n", "", "\n<!-- c --><!DOCTYPE html SYSTEM 'x'>"),
    fc.constantFrom(
      ["<html lang=en>", "</html>"],
      ["", ""],
      ["\n<html>\n", "</html>\n"],
      ["<html>", "\n<!-- c -->\n</html>\n<!-- d -->\n"],
      ["<html>", "</html>\n<script>1</script>\nx"],
      ["<html>", "<p>x</p></body></html>"],
    ),
    fc.constantFrom(["<head>", "</head>"], ["", ""], ["<head>\n", "\n</head>\n"], ["<head>", ""]),
    fc.array(
      fc.constantFrom(
        "<title>T &amp; t</title>",
        "<meta charset=utf-8>",
        "\n",
        "<noscript><link></noscript>",
        "<script>x</script>",
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom(["<body class=x>", "</body>"], ["", ""], ["<body>", ""], ["", "</body>"]),
    nested.nodes,
  )
  .map(
    ([doctype, html, head, inHead, body, content]) =>
      doctype + html[0] + head[0] + inHead.join("") + head[1] + body[0] + content + body[1] + html[1],
  );

const EVERY_NAME = [
  ...FLOW,
  ...VOIDS,
  ...RAW,
  ...FOREIGN,
  ...MATH,
  ..."html head body frameset frame nobr marquee applet listing plaintext xmp noembed noframes image rp rb rtc".split(
    " ",
  ),
];

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...EVERY_NAME), attributes).map(([name, attrs]) => `<${name}${attrs}>`),
  },
  { weight: 3, arbitrary: fc.constantFrom(...EVERY_NAME).map((name) => `</${name}>`) },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: raw },
  { weight: 1, arbitrary: comment },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "<![CDATA[x]]>",
      "</>",
      "</ x>",
      "<?php ?>",
      "<!x>",
      "<",
      "<p",
      "<p a='",
      "\0",
      "\uFEFF",
    ),
  },
);

/** Tags in any order. */
export const soup: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "<!doctype html>", "<!doctype html><html><head></head><body>"),
    fc.array(piece, { maxLength: 12 }),
  )
  .map(([start, pieces]) => start + pieces.join(""));

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  table: ["tr", "tbody", "thead", "tfoot", "caption", "colgroup", "template", "tr"],
  tbody: ["tr", "tr", "tbody", "template"],
  thead: ["tr", "tr", "tbody"],
  tr: ["td", "th", "td", "tr", "tbody"],
  td: ["p", "td", "th", "tr", "tbody", "table", "ul", "select", "a"],
  select: ["option", "optgroup", "option"],
  option: ["option", "optgroup"],
  ul: ["li", "li", "ul"],
  li: ["li", "p", "ul", "dl", "div"],
  dl: ["dt", "dd", "div"],
  dd: ["dt", "dd", "p", "dl"],
  svg: FOREIGN,
  math: MATH,
  ruby: ["rt", "rp", "b"],
};

const PARTS = new Set("caption colgroup tbody thead tr th td optgroup".split(" "));
const ANYWHERE = FLOW.filter((name) => !PARTS.has(name));

const step = fc.record({
  action: fc.constantFrom("open", "open", "open", "close", "close", "skip", "add"),
  name: fc.constantFrom(...ANYWHERE, "center", "nav", "h3", "small"),
  choice: fc.nat(9),
  attrs: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, attributes),
  piece: fc.oneof(text, fc.constantFrom(" ", "\n", "x"), single, raw, comment),
});

/** Elements that are opened and closed in order, except for some that are closed by the end of their parents. */
export const walk: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "<body>", "<!doctype html><html><body>"), fc.array(step, { maxLength: 30, size: "max" }))
  .map(([start, steps]) => {
    const open: string[] = [];
    let html = start;
    for (const { action, name, choice, attrs, piece } of steps) {
      const fitting = choice === 0 ? [] : (CHILDREN[open.at(-1) ?? ""] ?? []);
      if (action === "open") {
        open.push(fitting[choice % fitting.length] ?? name);
        html += `<${open.at(-1)}${attrs}>`;
      } else if (action === "add") {
        html += piece;
      } else {
        while (action === "skip" && OFTEN_UNENDED.has(open.at(-1) ?? "") && open.length > 1) open.pop();
        const closed = open.pop();
        if (closed !== undefined) html += `</${closed}>`;
      }
    }
    return (
      html +
      open
        .toReversed()
        .map((name) => `</${name}>`)
        .join("")
    );
  });

/** A mutation of a page: parts are removed, duplicated or replaced. */
export interface Mutation {
  readonly from: number;
  readonly length: number;
  readonly text: string;
}

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    from: fc.nat(1_000_000),
    length: fc.oneof(fc.constant(0), fc.nat(12)),
    text: fc.oneof(fc.constant(""), piece, fc.constantFrom(...SPACES, "<", ">", '"', "'", "=", "&", ";", "-", "a")),
  }),
  { minLength: 1, maxLength: 3 },
);

export function mutate(text: string, changes: readonly Mutation[]): string {
  return changes.reduce((mutated, { from, length, text: added }) => {
    const place = from % (mutated.length + 1);
    return mutated.slice(0, place) + added + mutated.slice(place + length);
  }, text);
}
