import matter from "gray-matter";
import { FAILSAFE_SCHEMA, load, Type, YAMLException } from "js-yaml";
import { parse as parseToml, TomlError } from "smol-toml";
import { messageOf } from "../../base/error.ts";
import type { Position, Problem } from "./problems.ts";
import { splitFrontMatter, type FrontMatterLanguage, type SplitMarkdown } from "./split-front-matter.ts";

/** The front matter of a post. */
export interface FrontMatter {
  /** In YAML, only `true`, `false`, and `null` are parsed: numbers and dates stay text as written. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The Markdown after the front matter, with LF line endings. */
  readonly body: string;
  /** Line of the file where the body starts. */
  readonly bodyLine: number;
  /** Position of a top-level key, or the start of the file if there is no such key. */
  positionOf(key: string): Position;
  /** The text of a top-level value on a single line, without its comment. */
  rawValueOf(key: string): string | undefined;
}

export type ParsedMarkdown =
  | { readonly kind: "parsed"; readonly frontMatter: FrontMatter }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Maximum nesting depth, value count, and character count of front matter after resolving aliases. */
const MAX_DEPTH = 16;
const MAX_VALUES = 5_000;
const MAX_CHARACTERS = 256 * 1024;

/**
 * Parses a Markdown file's front matter: YAML, TOML, or JSON. Never evaluates code. Never throws: problems are returned
 * as data with their position in the file.
 */
export function parseFrontMatter(text: string): ParsedMarkdown {
  const split = splitFrontMatter(text);
  if (split.kind === "refused") return split;
  if (split.kind === "body") return { kind: "parsed", frontMatter: describe({}, split) };
  const parsed = parseBlock(split.language, split.block);
  if (parsed.kind === "failed") {
    const { line, column, message } = parsed;
    return { kind: "refused", problem: { line: split.blockLine + line, column: column + 1, message } };
  }
  const fault = faultOf(parsed.value);
  if (fault !== undefined) return refusedAt(split, fault);
  return { kind: "parsed", frontMatter: describe(isMapping(parsed.value) ? parsed.value : {}, split) };
}

function refusedAt(split: { readonly blockLine: number }, message: string): ParsedMarkdown {
  return { kind: "refused", problem: { line: Math.max(1, split.blockLine - 1), column: 1, message } };
}

type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  /** Line and column within the block, 0-based. */
  | { readonly kind: "failed"; readonly line: number; readonly column: number; readonly message: string };

function parseBlock(language: FrontMatterLanguage, block: string): Parsed {
  try {
    const { data } = matter(`---\n${block}`, { ...SHELL, language });
    // gray-matter treats a block of only comments as empty in every language, but JSON has no comments.
    if (language === "json" && !("value" in data) && block.trim() !== "") JSON.parse(block);
    return { kind: "value", value: data["value"] };
  } catch (error) {
    return { kind: "failed", ...placeOf(error) };
  }
}

// Numbers and dates stay text: `1.10`, `010`, and `2024-02-30` keep their written form, and nothing is rolled over.
const PLAIN_SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type("tag:yaml.org,2002:null", {
      kind: "scalar",
      resolve: (text: unknown) => text === null || text === "" || /^(?:~|null|Null|NULL)$/.test(String(text)),
      construct: () => null,
    }),
    new Type("tag:yaml.org,2002:bool", {
      kind: "scalar",
      resolve: (text: unknown) => /^(?:true|True|TRUE|false|False|FALSE)$/.test(String(text)),
      construct: (text: unknown) => String(text).toLowerCase() === "true",
    }),
    // `<<: *base` merges the keys of another mapping. js-yaml limits how many.
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text: unknown) => text === "<<" }),
  ],
});

type Engine = (text: string) => { readonly value: unknown };

// The engines that gray-matter may use. Its built-in ones evaluate JavaScript, so those names must be refused. It looks
// names up in a plain object, so this one has no prototype.
const ENGINES: Record<string, Engine> = Object.assign(Object.create(null), {
  yaml: engine((block) => load(block, { schema: PLAIN_SCHEMA })),
  toml: engine((block) => parseToml(block, { maxDepth: MAX_DEPTH })),
  json: engine((block) => JSON.parse(block)),
  js: refuseScript,
  javascript: refuseScript,
  coffee: refuseScript,
});

// An engine gets the block including the line ending of the opening fence. Without it, lines count as in the block.
function engine(parse: (block: string) => unknown): Engine {
  return (text) => ({ value: parse(text.slice(1)) });
}

function refuseScript(): never {
  throw new Error("JavaScript front matter is not supported.");
}

// The block was already located. Nothing in it may end it, and it contains no carriage return.
const DELIMITERS: [string, string] = ["---", "\r"];

const SHELL = {
  engines: ENGINES,
  delimiters: DELIMITERS,
  // Otherwise the front matter itself could set a separator.
  excerpt: () => "",
};

function placeOf(error: unknown): { readonly line: number; readonly column: number; readonly message: string } {
  if (error instanceof YAMLException) {
    return { line: error.mark?.line ?? 0, column: error.mark?.column ?? 0, message: `YAML: ${error.reason}.` };
  }
  if (error instanceof TomlError) {
    const [, reason = error.message] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return { line: error.line - 1, column: error.column - 1, message: `TOML: ${reason}.` };
  }
  const message = messageOf(error).replaceAll(/\s+/g, " ");
  const [, line = "1", column = "1"] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  return { line: Number(line) - 1, column: Number(column) - 1, message: `JSON: ${message}.` };
}

/**
 * Returns why a parsed value isn't valid front matter. Aliases are resolved, so a small text can't become a large
 * value.
 */
function faultOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMapping(value)) {
    return 'The text between the --- lines is not front matter ("key: value"). For a horizontal rule, write ***.';
  }
  return isBounded(value) ? undefined : "The front matter has too many, too long, or too deeply nested values.";
}

function isBounded(root: unknown): boolean {
  let values = 0;
  let characters = 0;
  const visit = (value: unknown, depth: number): boolean => {
    values += 1;
    if (typeof value === "string") characters += value.length;
    if (values > MAX_VALUES || characters > MAX_CHARACTERS || depth > MAX_DEPTH) return false;
    if (typeof value !== "object" || value === null) return true;
    return Object.entries(value).every(([key, item]) => {
      characters += key.length;
      return visit(item, depth + 1);
    });
  };
  return visit(root, 0);
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function describe(data: Record<string, unknown>, split: Exclude<SplitMarkdown, { kind: "refused" }>): FrontMatter {
  const lines = split.kind === "body" ? [] : split.block.split("\n");
  const firstLine = split.kind === "body" ? 1 : split.blockLine;
  const entries = lines.flatMap((text, index) => findEntry(text, firstLine + index));
  // If a key also occurs in a nested mapping, the outermost one is used.
  const find = (key: string): WrittenEntry | undefined => {
    const same = entries.filter((entry) => entry.key === key);
    const column = Math.min(...same.map((entry) => entry.column));
    return same.find((entry) => entry.column === column);
  };
  return {
    data,
    body: split.body,
    bodyLine: split.bodyLine,
    positionOf(key) {
      const { line, column } = find(key) ?? { line: 1, column: 1 };
      return { line, column };
    },
    rawValueOf(key) {
      return find(key)
        ?.text.replace(/\s#.*$/, "")
        .trim();
    },
  };
}

interface WrittenEntry extends Position {
  readonly key: string;
  /** The text after the colon or equals sign on its line. */
  readonly text: string;
}

/** Matches `key: value`, `key = value`, or `"key": value`. */
function findEntry(text: string, line: number): readonly WrittenEntry[] {
  const end = text.search(/[:=]/);
  if (end === -1) return [];
  const before = text.slice(0, end).trimEnd();
  const start = before.search(/[^\s{,]/);
  if (start === -1) return [];
  const key = before.slice(start).replaceAll(/^["']|["']$/g, "");
  return [{ key, text: text.slice(end + 1).trim(), line, column: start + 1 }];
}
