import type { Problem } from "./problems.ts";

/** A Markdown file split into parts. Lines end with LF; line numbers of the file are 1-based. */
export type SplitMarkdown =
  | { readonly kind: "body"; readonly body: string; readonly bodyLine: number }
  | {
      readonly kind: "front-matter";
      readonly language: FrontMatterLanguage;
      /** The text between the fences; for JSON without fences, including its braces. */
      readonly block: string;
      readonly blockLine: number;
      readonly body: string;
      readonly bodyLine: number;
    }
  | { readonly kind: "refused"; readonly problem: Problem };

export type FrontMatterLanguage = "yaml" | "toml" | "json";

/** Maximum length of front matter, in characters. */
const MAX_FRONT_MATTER_LENGTH = 64 * 1024;

// gray-matter's search for comments is quadratic in the number of consecutive blank lines.
const TOO_MANY_BLANK_LINES = /\n(?:[^\S\n]*\n){200}/;

const LANGUAGES: ReadonlyMap<string, FrontMatterLanguage> = new Map([
  ["", "yaml"],
  ["yaml", "yaml"],
  ["yml", "yaml"],
  ["toml", "toml"],
  ["json", "json"],
]);

const DASHES = /^---([ \t]*)([A-Za-z]*)[ \t]*$/;
const PLUSES = /^\+\+\+[ \t]*$/;

// A line that may be front matter: `key:`, `key =`, `- item`, or a comment.
const LOOKS_LIKE_DATA = /^\s*(?:#|-\s|["']?[\w-]+["']?\s*[:=])/;

// Hugo's JSON has no fences. An MDX expression or a shortcode in braces has no quoted key.
const JSON_START = /^\{\s*"[^"\n]*"\s*:/;

/**
 * Finds the front matter by fences on lines of their own, after a byte order mark and blank lines; or JSON without
 * fences, from `{` to a line with only `}`. A file that starts with a rule (`---`) not followed by data is all body.
 */
export function splitFrontMatter(text: string): SplitMarkdown {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (JSON_START.test(lines.slice(first, first + 3).join("\n"))) return splitJson(lines, first);
  const opening = readFence(lines[first] ?? "");
  if (opening === undefined) return { kind: "body", body: lines.join("\n"), bodyLine: 1 };
  if (opening.language === undefined) return refused(first, scriptMessage(opening.name));
  const { language, isClosedBy } = opening;
  const last = lines.findIndex((line, index) => index > first && isClosedBy.test(line));
  if (last === -1) {
    if (!LOOKS_LIKE_DATA.test(lines[first + 1] ?? "")) return { kind: "body", body: lines.join("\n"), bodyLine: 1 };
    return refused(first, `The front matter that starts here has no closing line (${lines[first]?.slice(0, 3)}).`);
  }
  return takeBlock({ lines, language, start: first + 1, end: last, bodyStart: last + 1 });
}

function splitJson(lines: readonly string[], first: number): SplitMarkdown {
  const isWhole = /\}\s*$/.test(lines[first] ?? "");
  const last = isWhole ? first : lines.findIndex((line, index) => index > first && /^\}\s*$/.test(line));
  if (last === -1) return refused(first, "The front matter that starts here has no closing line (}).");
  return takeBlock({ lines, language: "json", start: first, end: last + 1, bodyStart: last + 1 });
}

interface BlockPlace {
  readonly lines: readonly string[];
  readonly language: FrontMatterLanguage;
  /** Index of the first line, and of the line after the last. */
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

function takeBlock({ lines, language, start, end, bodyStart }: BlockPlace): SplitMarkdown {
  const block = lines.slice(start, end).join("\n");
  const first = Math.max(0, start - 1);
  if (block.length > MAX_FRONT_MATTER_LENGTH) {
    return refused(
      first,
      `The front matter has ${block.length} characters; at most ${MAX_FRONT_MATTER_LENGTH} are read.`,
    );
  }
  if (TOO_MANY_BLANK_LINES.test(block)) return refused(first, "The front matter has 200 blank lines in a row.");
  const body = lines.slice(bodyStart).join("\n");
  return { kind: "front-matter", language, block, blockLine: start + 1, body, bodyLine: bodyStart + 1 };
}

type Fence =
  | { readonly language: FrontMatterLanguage; readonly isClosedBy: RegExp }
  | { readonly language: undefined; readonly name: string };

function readFence(line: string): Fence | undefined {
  if (PLUSES.test(line)) return { language: "toml", isClosedBy: PLUSES };
  const dashes = DASHES.exec(line);
  if (dashes === null) return undefined;
  const [, gap = "", name = ""] = dashes;
  const language = LANGUAGES.get(name.toLowerCase());
  if (language === undefined) return gap === "" ? { language, name } : undefined;
  // In YAML, three dots also end a document, and Jekyll accepts them.
  return { language, isClosedBy: language === "yaml" ? /^(?:---|\.\.\.)[ \t]*$/ : /^---[ \t]*$/ };
}

function scriptMessage(name: string): string {
  const isScript = ["js", "javascript", "ts", "typescript", "coffee", "coffeescript", "cson"].includes(
    name.toLowerCase(),
  );
  const what = isScript ? "JavaScript front matter is not supported." : `Front matter can't be written in "${name}".`;
  return `${what} Use YAML: a line ---, then lines such as "title: My post", then a line ---.`;
}

function refused(index: number, message: string): SplitMarkdown {
  return { kind: "refused", problem: { line: index + 1, column: 1, message } };
}
