import { init, parse } from "es-module-lexer";

// The config is the author's own text, so the call is inserted by position, and nothing else changes. Code that this
// doesn't understand is left unchanged; the caller loads the result and compares.

/** Adds a call of `imprint()` to the text of an Astro config; returns `undefined` if its place is uncertain. */
export async function addIntegration(source: string, options: string): Promise<string | undefined> {
  await init;
  const [imports] = parse(source);
  const own = imports.find(({ n }) => n === "astro-imprint");
  const statement = own && source.slice(own.ss, own.se);
  const [, name = "imprint"] = /^import\s+(\w+)\s+from/.exec(statement ?? "") ?? [];
  const quote = source.includes("from '") ? "'" : '"';
  const call = `${name}(${options.replaceAll('"', quote)})`;
  const called = own && placeCall(source, { name, call });
  if (own !== undefined && called !== undefined) return called;
  const placed = addToList(source, call);
  if (placed === undefined || own !== undefined) return placed;
  const last = imports.findLast(({ d }) => d === -1);
  const end = /;/.test(last === undefined ? ";" : source.slice(last.se, last.se + 1)) ? ";" : "";
  const line = `import imprint from ${quote}astro-imprint${quote}${end}\n`;
  const at = last === undefined ? 0 : source.indexOf("\n", last.se) + 1;
  return placed.slice(0, at) + line + placed.slice(at);
}

/** Adds the options to a call without arguments; a call with arguments belongs to the author. */
function placeCall(
  source: string,
  { name, call }: { readonly name: string; readonly call: string },
): string | undefined {
  const found = [...blank(source).matchAll(new RegExp(`\\b${name}\\(\\s*\\)`, "g"))];
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  return source.slice(0, only.index) + call + source.slice(only.index + only[0].length);
}

function addToList(source: string, call: string): string | undefined {
  const plain = blank(source);
  const lists = [...plain.matchAll(/\bintegrations\s*:\s*\[/g)];
  const [list] = lists;
  if (lists.length > 1) return undefined;
  if (list !== undefined) return addToEnd(source, { plain, start: list.index + list[0].length, call });
  const [config, ...more] = [...plain.matchAll(/\bdefineConfig\(\s*\{|\bexport\s+default\s*\{/g)];
  if (config === undefined || more.length > 0) return undefined;
  const at = config.index + config[0].length;
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(source.slice(at)) ?? [];
  const rest = source.slice(at);
  const break_ = /^\s*\n/.test(rest) ? "" : "\n";
  return `${source.slice(0, at)}\n${indent}integrations: [${call}],${break_}${rest}`;
}

interface ListPlace {
  readonly plain: string;
  /** Offset after the opening bracket. */
  readonly start: number;
  readonly call: string;
}

function addToEnd(source: string, { plain, start, call }: ListPlace): string | undefined {
  let depth = 1;
  let end = start;
  for (; end < plain.length && depth > 0; end++) {
    if ("[({".includes(plain.charAt(end))) depth += 1;
    if ("])}".includes(plain.charAt(end))) depth -= 1;
  }
  if (depth > 0) return undefined;
  const inside = plain.slice(start, end - 1);
  const last = start + inside.trimEnd().length;
  const isEmpty = inside.trim() === "";
  const comma = isEmpty || inside.trimEnd().endsWith(",") ? "" : ",";
  const [, indent] = /\n([ \t]*)\S/.exec(inside) ?? [];
  const gap = isEmpty ? "" : indent === undefined ? " " : `\n${indent}`;
  const isOnlyComments = isEmpty && source.slice(start, end - 1).trim() !== "";
  const tail = indent !== undefined || isOnlyComments ? "," : "";
  // A comment behind the last entry stays there.
  const lineEnd = plain.indexOf("\n", last);
  const isCommented = indent !== undefined && lineEnd < end && source.slice(last, lineEnd).trim() !== "";
  const at = isCommented && plain.slice(last, lineEnd).trim() === "" ? lineEnd : last;
  return `${source.slice(0, last)}${comma}${source.slice(last, at)}${gap}${call}${tail}${source.slice(at)}`;
}

/** Blanks out comments and the contents of strings; the length stays the same. */
function blank(source: string): string {
  const parts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
  return source.replaceAll(parts, (part) =>
    part.startsWith("/") ? part.replaceAll(/[^\n]/g, " ") : part.replaceAll(/[^\n]/g, "_"),
  );
}
