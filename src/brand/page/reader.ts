import { messageOf } from "../../base/error.ts";
import { parseSheet, type StyleSheet } from "../css/parse-sheet.ts";
import { MAX_SHEET_LENGTH } from "../css/sheet-tree.ts";
import type { BrandProblem } from "../findings.ts";

/** What an address answered. */
export interface ReadAnswer {
  readonly content: string | Uint8Array;
  /** The media type, parameters allowed: `text/css; charset=utf-8`. */
  readonly contentType: string;
  /** Where the content was found after redirects. Default: the address that was asked for. */
  readonly address?: string;
}

/**
 * The only way in which the extraction gets anything: absolute address in, content out, `undefined` when there is
 * nothing. What it throws is told as a problem, and the extraction goes on without the file.
 */
export type ReadAddress = (address: string) => Promise<ReadAnswer | undefined>;

/** More than this nobody reads. */
const MAX_PROBLEMS = 100;

export interface FoundFile {
  readonly address: string;
  readonly text: string;
  readonly contentType: string;
}

/** Reads each address once and remembers the answer. */
export interface Reader {
  /** `undefined` when there is nothing at the address; the reason is among the problems. */
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
  const answers = new Map<string, Promise<ReadAnswer | undefined>>();
  const sheets = new Map<string, StyleSheet>();
  const problems = new Map<string, BrandProblem>();

  function report(subject: string, message: string): void {
    problems.set(`${subject} ${message}`, { subject, message });
  }

  async function ask(address: string): Promise<ReadAnswer | undefined> {
    try {
      const answer = await read(address);
      if (answer === undefined) report(address, "There is nothing at this address, or it was not to be read.");
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      report(address, `It could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  function answerOf(address: string): Promise<ReadAnswer | undefined> {
    const answer = answers.get(address) ?? ask(address);
    answers.set(address, answer);
    return answer;
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
      const answer = await answerOf(address);
      if (answer === undefined) return undefined;
      return { address: answer.address ?? address, text: textOf(answer.content), contentType: answer.contentType };
    },
    async readBytes(address) {
      const answer = await answerOf(address);
      if (answer === undefined) return undefined;
      const { content, contentType } = answer;
      return { bytes: typeof content === "string" ? new TextEncoder().encode(content) : content, contentType };
    },
    async readSheet(address) {
      const answer = await answerOf(address);
      if (answer === undefined) return undefined;
      if (/^text\/html/i.test(answer.contentType)) {
        report(address, "A page was found where a style sheet should be.");
        return undefined;
      }
      return parseStyle(textOf(answer.content), answer.address ?? address);
    },
  };
}

/** Sorted, since files are read at the same time and come in any order. */
function listProblems(problems: ReadonlyMap<string, BrandProblem>): readonly BrandProblem[] {
  const sorted = [...problems].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
  const rest = sorted.length - MAX_PROBLEMS;
  if (rest <= 0) return sorted;
  return [
    ...sorted.slice(0, MAX_PROBLEMS),
    { subject: "more", message: `There are ${rest} more problems like these.` },
  ];
}

function textOf(content: string | Uint8Array): string {
  if (typeof content === "string") return content;
  // No text that is read may be longer, so that decoding more is waste.
  return new TextDecoder().decode(content.subarray(0, MAX_SHEET_LENGTH * 4));
}
