import type * as z from "zod";
import { ImprintError } from "../base/error.ts";
import { nearestName } from "./nearest-name.ts";
import { describeProblem } from "./problem-words.ts";
import { optionsSchema, type Options } from "./schema.ts";

/** Names of the Astro config, in the order in which Astro looks for them. */
export const ASTRO_CONFIGS = ["astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts"];

/** Where options come from. */
export interface OptionsSource {
  /** The config file, for errors. */
  readonly file: string;
  /** Options that flags set instead of the file. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Validates a user's options and fills in the defaults.
 *
 * @throws ImprintError `OPTIONS_INVALID` with one line for each problem; for unknown names, with the nearest known one.
 * Its location is the config file if the problem is there.
 */
export function parseOptions(input: unknown, source?: OptionsSource): Options {
  // For a single parse, compiling the schema would take longer than interpreting it.
  const result = optionsSchema.safeParse(input ?? {}, { jitless: true, error: describeProblem });
  if (result.success) return result.data;
  const { issues } = result.error;
  const isInFile = source && issues.some(({ path: [name] }) => name === undefined || !(name in source.flags));
  const location = isInFile ? { location: { file: source.file } } : {};
  throw new ImprintError("OPTIONS_INVALID", issues.flatMap(problemLines).join("\n"), location);
}

function problemLines(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownLine(issue.path, key));
  if (issue.code === "invalid_union") return unionLines(issue);
  return [`\`${pathText(issue.path)}\` ${issue.message}.`];
}

// Each member of a union has its own problems. If one member got further into the value than the others (a misspelled
// name inside an object), its problems are the useful ones.
function unionLines(issue: z.core.$ZodIssueInvalidUnion): readonly string[] {
  const inner = issue.errors
    .flat()
    .filter((problem) => problem.code === "unrecognized_keys" || problem.path.length > 0);
  if (inner.length === 0) return [`\`${pathText(issue.path)}\` ${issue.message}.`];
  return inner.flatMap((problem) => problemLines({ ...problem, path: [...issue.path, ...problem.path] }));
}

function unknownLine(path: readonly PropertyKey[], key: string): string {
  const name = pathText([...path, key]);
  if (/key|token|secret/i.test(key)) {
    return `\`${name}\`: never put a key in a config file. Set IMPRINT_API_KEY in the environment or in \`.env\`.`;
  }
  const nearest = nearestName(key, knownNames(path));
  return `\`${name}\` is not an option.${nearest === undefined ? "" : ` Did you mean \`${pathText([...path, nearest])}\`?`}`;
}

function knownNames(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = optionsSchema;
  for (const part of path) schema = shapeOf(schema)?.[String(part)];
  return Object.keys(shapeOf(schema) ?? {});
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("shape" in schema) return Object(schema.shape);
  const definition: { innerType?: unknown; in?: unknown; options?: readonly unknown[] } = Object(
    "def" in schema ? schema.def : undefined,
  );
  const inner = [definition.innerType, definition.in, ...(definition.options ?? [])];
  return inner.map(shapeOf).find((shape) => shape !== undefined);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "options" : path.map(String).join(".");
}
