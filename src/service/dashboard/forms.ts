import type { Child } from "hono/jsx";
import * as z from "zod";
import { PROBLEMS } from "../../contract/problems.ts";
import { pointerErrors, ProblemError } from "../http/problem.ts";
import { readBody, readFormData, type BodyLimit } from "../http/request.ts";
import type { DashboardContext } from "./context.ts";

export type FormValues = Readonly<Record<string, string>>;

/** What the fields of a form hold when it is shown, and what is wrong with them. */
export interface FormState {
  readonly values: FormValues;
  /** What somebody else has saved since the form was shown. */
  readonly saved?: FormValues;
  /** Sentences by the name of the field. */
  readonly errors: FormValues;
  /** What is wrong with the form as a whole. */
  readonly problem?: string | undefined;
  /** HTTP status of the page that shows the form; 200 unless a rule refused what was sent. */
  readonly status: number;
}

export function freshForm(values: FormValues = {}): FormState {
  return { values, errors: {}, status: 200 };
}

/** Values with what a person reads for them. */
export type Options = readonly (readonly [value: string, text: string])[];

/** One field of a form, by what a person sees of it. */
export interface Field {
  readonly label: string;
  /** Below the field: what it is for. */
  readonly hint?: Child;
  readonly required?: boolean;
  /** `lines`: several lines of text; `source`: many of them, in a face that shows every character; `picture`: its address. Default: `text`. */
  readonly kind?:
    | "text"
    | "email"
    | "url"
    | "date"
    | "datetime-local"
    | "picture"
    | "search"
    | "choice"
    | "lines"
    | "source";
  readonly placeholder?: string;
  /** What a choice consists of; for a text what the browser suggests. */
  readonly options?: Options | undefined;
}

/** Fields by their names, in the order in which they stand. */
export type Fields = Readonly<Record<string, Field>>;

/** What a form of the dashboard sent. */
export interface SentForm {
  /** The text fields; of a name that came several times the last. */
  readonly values: FormValues;
  /** The file fields in which a file was chosen. */
  readonly files: readonly File[];
  /** The records that were ticked in a list. */
  readonly ids: readonly string[];
}

/**
 * Reads a form of at most so many bytes, by default as many as a JSON body of the API may have. Throws
 * `insufficient_scope` for one that names another `writer` than who is signed in.
 */
export async function readForm(context: DashboardContext, limit?: BodyLimit): Promise<SentForm> {
  const request = context.req.raw;
  const { maxJsonBodyBytes } = context.var.records.limits;
  const bytes = await readBody(request, limit ?? { maxBytes: maxJsonBodyBytes, code: "body_too_large" });
  const contentType = request.headers.get("Content-Type") ?? "";
  const entries = [...(await readFormData(bytes, contentType, "The form data is invalid."))];
  const { writer, ...values }: FormValues = Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value.replaceAll("\r\n", "\n")]] : [])),
  );
  const { person } = context.var;
  if (writer !== undefined && writer !== person.userId) {
    const detail = `You are signed in as ${person.name}, and somebody else wrote this text: sign in as that person to save it.`;
    throw new ProblemError("insufficient_scope", { detail });
  }
  return {
    values,
    ids: entries.flatMap(([name, value]) => (name === "id" && typeof value === "string" ? [value] : [])),
    files: entries.flatMap(([, value]) => (typeof value === "string" || value.name === "" ? [] : [value])),
  };
}

/** Checks what was typed by a schema of the contract, as a route of the API does; throws `invalid_body`. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: explainIssue });
  if (!parsed.success) throw new ProblemError("invalid_body", { errors: pointerErrors(parsed.error, "/body") });
  return parsed.data;
}

// What a schema says by itself is made for programmers.
function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  if (issue.code === "too_small" && issue.origin === "array") return "Choose at least one";
  if (issue.code === "too_big") {
    return `may have at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "entries"}`;
  }
  return undefined;
}

interface Typed {
  readonly fields: Fields;
  readonly values: FormValues;
}

/** Checks what was typed into fields by the schema that has them; throws `invalid_body`. */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, typed: Typed): z.output<Schema> {
  return parseInput(schema, inputOf(schema, typed));
}

/**
 * What was typed into fields, for their schema to check: an empty one that isn't required is `null` or absent, whichever
 * the schema takes, and tags are split at commas.
 */
export function inputOf(schema: z.ZodObject, { fields, values }: Typed): Readonly<Record<string, unknown>> {
  const inputs = Object.entries(fields).map(([name, { required = false }]) => {
    const text = values[name] ?? "";
    return [name, required ? text : optionalInput(schema.shape[name], text)];
  });
  return Object.fromEntries(inputs);
}

function optionalInput(schema: z.core.$ZodType | undefined, text: string): unknown {
  const accepts = (value: unknown) => schema !== undefined && z.safeParse(schema, value).success;
  if (accepts([])) return splitTags(text);
  return textOrNull(text) ?? (accepts(null) ? null : undefined);
}

/** The tags in a line of text with commas between them. */
export function splitTags(text: string): readonly string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

/** What the fields of a form hold for a record; its version comes along. */
export function valuesOf(fields: Fields, record: object): FormValues {
  const known = Object.entries(record).filter(([name]) => name === "version" || Object.hasOwn(fields, name));
  return Object.fromEntries(
    known.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")]),
  );
}

/** The text of a field; `null` for an empty one. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text.trim();
}

/** The version that a form was filled in for, as a precondition of its writing. */
export function versionOf({ version }: FormValues): { readonly ifMatch: readonly number[] } {
  return { ifMatch: [Number(version)] };
}

/** The path that is shown when something is done, or the response itself. */
export type Target = string | Response;

export function respond(context: DashboardContext, target: Target): Response {
  return typeof target === "string" ? context.redirect(target, 303) : target;
}

/** A form that was sent. */
export interface Attempt {
  readonly values: FormValues;
  /** Writes what was sent. */
  accept(): Promise<Target>;
  /** Shows the form again. */
  again(state: FormState, problem: ProblemError): Response | Promise<Response>;
}

// Problems that whoever filled in the form can fix there.
export const FIXABLE: ReadonlySet<number> = new Set([409, 412, 413, 415, 422]);

/** Does what a form asks for; where a rule refuses that, the form is shown again and nothing typed is lost. */
export async function attempt(context: DashboardContext, { values, accept, again }: Attempt): Promise<Response> {
  try {
    return respond(context, await accept());
  } catch (error) {
    if (!(error instanceof ProblemError) || !FIXABLE.has(PROBLEMS[error.code].status)) throw error;
    return await again(refusedForm(values, error), error);
  }
}

/** The form as it is shown again: with all that was typed, and what a rule said about it. */
export function refusedForm(values: FormValues, { code, details: { detail, errors = [] } }: ProblemError): FormState {
  const only = errors.length === 1 ? detail : undefined;
  const said = errors.map((error) => [error.pointer.split("/")[2] ?? "", only ?? sentenceOf(error.detail)] as const);
  const placed = said.filter(([name]) => Object.hasOwn(values, name));
  const problem = placed.length === 0 ? (detail ?? said[0]?.[1] ?? PROBLEMS[code].title) : undefined;
  return { values, errors: Object.fromEntries(placed), problem, status: PROBLEMS[code].status };
}

// The API says "is taken" beside a pointer; beside a field that reads as a sentence.
function sentenceOf(detail: string): string {
  const text = /^(?:is|has|names|must|may|holds) /.test(detail) ? `This ${detail}` : detail;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * A form whose record somebody else has changed meanwhile: what was typed stays, beside each field stands what was
 * saved, and saving again replaces it. `saved` holds the version, too.
 */
export function overtakenForm({ values, status }: FormState, saved: FormValues): FormState {
  const { version = "" } = saved;
  const problem =
    "Somebody else changed this in the meantime. Your input is kept below; saving again replaces their changes.";
  return { values: { ...values, version }, saved, errors: {}, status, problem };
}
