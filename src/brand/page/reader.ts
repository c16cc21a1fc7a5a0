import { pluralize } from "../../base/pluralize.ts";
import { messageOf } from "../../base/error.ts";
import { decodeDeclared } from "../../html/declared-encoding.ts";
import { parseSheet, type StyleSheet } from "../css/parse-sheet.ts";
import { MAX_SHEET_LENGTH } from "../css/sheet-tree.ts";
import type { BrandProblem } from "../findings.ts";

/** The response for an address. */
export interface ReadResult {
  readonly content: string | Uint8Array;
  /** The media type, optionally with parameters: `text/css; charset=utf-8`. */
  readonly contentType: string;
  /** The final address after redirects. Default: the requested address. */
  readonly address?: string;
}

/**
 * Loads everything that the extraction reads: takes an absolute address and returns the content, or `undefined` if
 * there is none. If it throws, the error is reported as a problem and the extraction continues without the file.
 */
export type ReadAddress = (address: string) => Promise<ReadResult | undefined>;

/** Nobody reads a longer list. */
const MAX_PROBLEMS = 100;

export interface FoundFile {
  readonly address: string;
  readonly text: string;
  readonly contentType: string;
}

/** Reads each address once and caches the result. */
export interface Reader {
  /** Returns `undefined` if there is nothing at the address; the problems contain the reason. */
  readText(address: string): Promise<FoundFile | undefined>;
  readBytes(address: string): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  readSheet(address: string): Promise<StyleSheet | undefined>;
  /** Same as `parseSheet`, parsing each text once. */
  parseStyle(css: string, address: string): StyleSheet;
  report(subject: string, message: string): void;
  problems(): readonly BrandProblem[];
}

export interface ReaderOptions {
  readonly signal?: AbortSignal;
}

export function createReader(read: ReadAddress, { signal }: ReaderOptions = {}): Reader {
  const results = new Map<string, Promise<ReadResult | undefined>>();
  const sheets = new Map<string, StyleSheet>();
  const problems = new Map<string, BrandProblem>();

  function report(subject: string, message: string): void {
    problems.set(`${subject} ${message}`, { subject, message });
  }

  async function ask(address: string): Promise<ReadResult | undefined> {
    try {
      const result = await read(address);
      if (result === undefined) report(address, "Nothing was found at this address, or reading it is not allowed.");
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      report(address, `Reading failed: ${messageOf(error)}`);
      return undefined;
    }
  }

  function resultOf(address: string): Promise<ReadResult | undefined> {
    const result = results.get(address) ?? ask(address);
    results.set(address, result);
    return result;
  }

  function parseStyle(css: string, address: string): StyleSheet {
    const key = `${address} ${css}`;
    const sheet = sheets.get(key) ?? parseSheet(css, address);
    sheets.set(key, sheet);
    for (const problem of sheet.problems) report(address, problem);
    return sheet;
  }

  return {
    report,
    parseStyle,
    problems: () => listProblems(problems),
    async readText(address) {
      const result = await resultOf(address);
      if (result === undefined) return undefined;
      return { address: result.address ?? address, text: textOf(result), contentType: result.contentType };
    },
    async readBytes(address) {
      const result = await resultOf(address);
      if (result === undefined) return undefined;
      const { content, contentType } = result;
      return { bytes: typeof content === "string" ? new TextEncoder().encode(content) : content, contentType };
    },
    async readSheet(address) {
      const result = await resultOf(address);
      if (result === undefined) return undefined;
      if (/^text\/html/i.test(result.contentType)) {
        report(address, "Expected a style sheet, found an HTML page.");
        return undefined;
      }
      return parseStyle(textOf(result), result.address ?? address);
    },
  };
}

/** Sorted, because files are read concurrently and finish in any order. */
function listProblems(problems: ReadonlyMap<string, BrandProblem>): readonly BrandProblem[] {
  const sorted = [...problems].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
  const rest = sorted.length - MAX_PROBLEMS;
  if (rest <= 0) return sorted;
  return [
    ...sorted.slice(0, MAX_PROBLEMS),
    { subject: "more", message: `${pluralize(rest, "more problem")} like these.` },
  ];
}

function textOf({ content, contentType }: ReadResult): string {
  if (typeof content === "string") return content;
  const encoding = content[0] === 0xff && content[1] === 0xfe ? "utf-16le" : "utf-8";
  // No longer text is ever used, so decoding more would be wasted work.
  const bytes = content.subarray(0, MAX_SHEET_LENGTH * 4);
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes(REPLACEMENT) ? (decodeDeclared(bytes, contentType) ?? text) : text;
}

/** What stands for bytes that aren't of the encoding. */
const REPLACEMENT = "\ufffd";
