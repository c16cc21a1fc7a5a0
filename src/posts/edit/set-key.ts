// Changes one key of YAML front matter. A YAML serializer would also rewrite what nobody edited (quotes, comments, line
// widths), so `yaml` only locates the value, and the text there is replaced. The result is parsed again: unless this
// key is the only difference, the next way to write the value is tried; if none works, the file isn't changed.
import { isMap, isScalar, isSeq, parse, parseDocument, type Pair, type ParsedNode, type YAMLSeq } from "yaml";
import { parseFrontMatter } from "../read/front-matter.ts";
import { isOnlyChange } from "../write/replace-file.ts";
import { lineEndOf, splitFile } from "./split-file.ts";

/** New value of a key. `plain`: a number, a date, `true`, or `false`. */
export type KeyValue =
  | { readonly kind: "text" | "plain"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] };

/**
 * Returns the file with one front matter key set to a value, in the style of the previous value; without a value, the
 * key's lines are removed. Returns `undefined` if that isn't possible without other changes.
 */
export function setKey(source: string, key: string, value: KeyValue | undefined): string | undefined {
  const { block } = splitFile(source);
  const parsed = parseFrontMatter(source);
  if (block === undefined || parsed.kind === "refused") return undefined;
  const known: unknown = parsed.frontMatter.data[key];
  const yaml = source.slice(block.start, block.end);
  const place: Place = { yaml, key, end: lineEndOf(source), known: Array.isArray(known) ? known.map(String) : [] };
  for (const written of writeKey(place, value)) {
    const result = source.slice(0, block.start) + written + source.slice(block.end);
    if (isOnlyChange(source, result, { key, value: meaningOf(value) })) return result;
  }
  return undefined;
}

interface Place {
  readonly yaml: string;
  readonly key: string;
  /** The line end of the file. */
  readonly end: string;
  /** The items of a list as parsed. */
  readonly known: readonly string[];
}

function meaningOf(value: KeyValue | undefined): unknown {
  if (value?.kind === "list") return value.items;
  if (value?.kind === "plain" && /^(?:true|false)$/.test(value.text)) return value.text === "true";
  return value?.text;
}

/** Yields the ways to write it, best first. */
function* writeKey(place: Place, value: KeyValue | undefined): Generator<string> {
  const { yaml, key, end } = place;
  const { contents } = parseDocument(yaml);
  const pairs = isMap(contents) ? contents.items : [];
  const pair = pairs.find((each) => isScalar(each.key) && each.key.value === key);
  const usual = pairs.map((each) => quoteOf(each.value, yaml)).find((quote) => quote !== undefined);
  if (pair === undefined) {
    if (value === undefined) return yield yaml;
    for (const text of writeValue(value, { usual, old: "", end })) yield `${yaml}${key}: ${text}${end}`;
    return;
  }
  if (value === undefined) return yield withoutPair(yaml, pair);
  const node = pair.value;
  if (node === null || node.range[0] === node.range[1]) {
    const colon = yaml.indexOf(":", pair.key.range[1]) + 1;
    for (const text of writeValue(value, { usual, old: "", end })) {
      yield `${yaml.slice(0, colon)} ${text}${yaml.slice(colon)}`;
    }
    return;
  }
  if (value.kind === "list" && isSeq(node) && node.flow !== true && value.items.length > 0) {
    return yield writeLines(value.items, { ...place, node, usual });
  }
  const [from, to] = node.range;
  const old = yaml.slice(from, to);
  const texts =
    value.kind === "list" && isSeq(node)
      ? [writeFlow(value.items, { ...place, node, usual })]
      : writeValue(value, { usual, old, end });
  for (const text of texts) {
    // The text of a block includes the end of its last line.
    yield `${yaml.slice(0, from)}${text}${old.endsWith("\n") ? end : ""}${yaml.slice(to)}`;
  }
}

/** Removes the lines of a key, including the comment beside its value. */
function withoutPair(yaml: string, { key, value }: Pair<ParsedNode, ParsedNode | null>): string {
  const start = yaml.lastIndexOf("\n", key.range[0] - 1) + 1;
  return yaml.slice(0, start) + yaml.slice(lineAfter(yaml, value?.range[1] ?? key.range[1]));
}

function lineAfter(yaml: string, place: number): number {
  if (yaml[place - 1] === "\n") return place;
  return yaml.indexOf("\n", place) + 1 || yaml.length;
}

type Quote = "'" | '"';

function quoteOf(node: ParsedNode | null | undefined, yaml: string): Quote | undefined {
  const first = isScalar(node) ? yaml[node.range[0]] : undefined;
  return first === "'" || first === '"' ? first : undefined;
}

function quote(text: string, mark: Quote = '"'): string {
  return mark === "'" ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

interface Style {
  /** The quotes of other values. */
  readonly usual: Quote | undefined;
  /** The previous value as written. */
  readonly old: string;
  readonly end: string;
}

function* writeValue(value: KeyValue, { usual, old, end }: Style): Generator<string> {
  if (value.kind === "list") {
    return yield `[${value.items.map((item) => writeItem(item, usual)).join(", ")}]`;
  }
  const { kind, text } = value;
  const first = old.startsWith("'") || old.startsWith('"') ? old[0] : undefined;
  const mark = first === "'" || first === '"' ? first : undefined;
  if (kind === "plain") {
    // In quotes, a number is text: it gets them only instead of another number.
    const isNumber = typeOfPlain(text) === "number";
    if (mark !== undefined && (!isNumber || typeOfPlain(old.slice(1, -1)) === "number")) yield quote(text, mark);
    return yield text;
  }
  if (/^[|>]/.test(old)) {
    yield writeScalarLines(text, old, end);
    yield writeScalarLines(text, withLineEndsOf(text, old), end);
  }
  if (mark !== undefined) yield quote(text, mark);
  else if ((old !== "" || usual === undefined) && isPlainText(text)) yield text;
  // A number stays one, and a date too, even if no schema says so.
  else if (typeOfPlain(old) !== undefined && typeOfPlain(old) === typeOfPlain(text)) yield text;
  yield quote(text, usual);
  yield quote(text);
}

/** Writes text below `|` or `>` at its previous indentation, without the end of its last line. */
function writeScalarLines(text: string, old: string, end: string): string {
  const [header = "", ...lines] = old.split(/\r?\n/);
  const indentation = /^\s*/.exec(lines.find((line) => line.trim() !== "") ?? "  ")?.[0] ?? "";
  const inner = text.replace(/\n+$/, "");
  const after = text.slice(inner.length + 1);
  // Below `>`, one more line end separates two lines, but not after the last one.
  const written = `${old.startsWith(">") ? inner.replaceAll(/\n+/g, "$&\n") : inner}${after}`;
  return [header, ...written.split("\n").map((line) => (line === "" ? "" : indentation + line))].join(end);
}

/** Replaces the indicator of which line ends at the end of a block scalar count, so that all of a text's do. */
function withLineEndsOf(text: string, block: string): string {
  const kept = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  return block.replace(/^([|>][1-9]?)[-+]?([1-9]?)/, (_, style: string, digit: string) => style + digit + kept);
}

/** Whether every YAML parser, including YAML 1.1, reads the unquoted text as this string. */
function isPlainText(text: string): boolean {
  return parsePlain(text) === text;
}

/** Returns the value of unquoted text; `undefined` if that isn't YAML. */
function parsePlain(text: string): unknown {
  try {
    return parse(text, { version: "1.1", logLevel: "error" });
  } catch {
    return undefined;
  }
}

/** The type of an unquoted value that isn't text. */
function typeOfPlain(text: string): "number" | "date" | undefined {
  if (!/^[-+.\d][\w:.+ -]*$/.test(text)) return undefined;
  const value = parsePlain(text);
  return typeof value === "number" ? "number" : value instanceof Date ? "date" : undefined;
}

function writeItem(item: string, mark: Quote | undefined): string {
  return isPlainText(item) && !/[,[\]{}]/.test(item) && mark === undefined ? item : quote(item, mark);
}

interface ListPlace extends Place {
  readonly node: YAMLSeq.Parsed;
  readonly usual: Quote | undefined;
}

/** Writes items in brackets; existing items stay as written, and so does what is between unchanged ones. */
function writeFlow(items: readonly string[], { yaml, node, known, usual }: ListPlace): string {
  const [start, end] = node.range;
  const ranges = node.items.map(({ range: [from, to] }) => ({ from, to }));
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (items.length === 0) return "[]";
  if (first === undefined || last === undefined) return `[${items.map((item) => writeItem(item, usual)).join(", ")}]`;
  const most = Math.min(items.length, ranges.length);
  const before = countWhile(most, (index) => items[index] === known[index]);
  const after = countWhile(most - before, (index) => items.at(-1 - index) === known.at(-1 - index));
  const mark = quoteOf(node.items[0], yaml);
  const sources = ranges.map(({ from, to }) => yaml.slice(from, to));
  const changed = items.slice(before, items.length - after);
  const [head, tail] = [yaml.slice(start, ranges[before - 1]?.to), yaml.slice(ranges.at(-after)?.from, end)];
  const inner = [
    ...(before === 0 ? [] : [head]),
    ...changed.map((item) => sources[known.indexOf(item)] ?? writeItem(item, mark)),
    ...(after === 0 ? [] : [tail]),
  ].join(", ");
  return `${before === 0 ? yaml.slice(start, first.from) : ""}${inner}${after === 0 ? yaml.slice(last.to, end) : ""}`;
}

/** Counts the numbers below a maximum up to the first that doesn't match. */
function countWhile(max: number, matches: (index: number) => boolean): number {
  const end = Array.from({ length: max }, (_, index) => index).find((index) => !matches(index));
  return end ?? max;
}

/** Writes items on separate lines; existing items keep their lines and comments. */
function writeLines(items: readonly string[], { yaml, node, known, end }: ListPlace): string {
  const starts = node.items.map(({ range }) => yaml.lastIndexOf("\n", range[0] - 1) + 1);
  const [first, last] = [node.items[0], node.items.at(-1)];
  const after = lineAfter(yaml, last?.range[1] ?? node.range[1]);
  const lines = starts.map((start, index) => yaml.slice(start, starts[index + 1] ?? after));
  const before = yaml.slice(starts[0], first?.range[0]);
  const mark = quoteOf(first, yaml);
  const written = items.map((item) => lines[known.indexOf(item)] ?? `${before}${writeItem(item, mark)}${end}`);
  return `${yaml.slice(0, starts[0])}${written.join("")}${yaml.slice(after)}`;
}
