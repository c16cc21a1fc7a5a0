import type { Child } from "hono/jsx";
import * as z from "zod";
import { joinWords, splitWords } from "../../base/word-list.ts";
import { PROBLEMS } from "../../contract/problems.ts";
import { pointerErrors, ProblemError } from "../http/problem.ts";
import { readBody, readFormData, type BodyLimit } from "../http/messages.ts";
import type { DashboardContext } from "./context.ts";
import { basisOf } from "./merge-form.ts";

export type FormValues = Readonly<Record<string, string>>;

/** Values and errors of a form. */
export interface FormState {
  readonly values: FormValues;
  /** Values that someone else saved since the form was shown. */
  readonly saved?: FormValues;
  /** Sentences by field name. */
  readonly errors: FormValues;
  /** An error of the form as a whole. */
  readonly problem?: string | undefined;
  /** HTTP status of the page with the form; 200 unless a rule rejected the submission. */
  readonly status: number;
}

export function freshForm(values: FormValues = {}): FormState {
  return { values, errors: {}, status: 200 };
}

/** Values with their labels. */
export type Options = readonly (readonly [value: string, text: string])[];

/** A field of a form, as users see it. */
export interface Field {
  readonly label: string;
  /** Shown below the field: its purpose. */
  readonly hint?: Child;
  readonly required?: boolean;
  /**
   * `lines`: several lines of text; `source`: many lines in a monospace font; `picture`: an image URL. Default: `text`.
   */
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
  /** The options of a choice; for text, the browser's suggestions. */
  readonly options?: Options | undefined;
}

/** Fields by name, in display order. */
export type Fields = Readonly<Record<string, Field>>;

/** A submitted form of the dashboard. */
export interface SentForm {
  /** Text fields; for repeated names, the last value. */
  readonly values: FormValues;
  /** File fields with a selected file. */
  readonly files: readonly File[];
  /** Records selected in a list. */
  readonly ids: readonly string[];
}

/**
 * Reads a form up to a size limit, by default that of the API's JSON bodies. Throws `insufficient_scope` if its
 * `writer` isn't the signed-in user.
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
    const detail = `You are signed in as ${person.name}, and someone else wrote this text: sign in as that user to save it.`;
    throw new ProblemError("insufficient_scope", { detail, members: { signIn: true } });
  }
  return {
    values,
    ids: entries.flatMap(([name, value]) => (name === "id" && typeof value === "string" ? [value] : [])),
    files: entries.flatMap(([, value]) => (typeof value === "string" || value.name === "" ? [] : [value])),
  };
}

/** Validates input with a schema of the contract, like a route of the API. Throws `invalid_body`. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: explainIssue });
  if (!parsed.success) throw new ProblemError("invalid_body", { errors: pointerErrors(parsed.error, "/body") });
  return parsed.data;
}

// The schemas' own messages are for programmers.
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

/** Validates typed fields with their schema. Throws `invalid_body`. */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, typed: Typed): z.output<Schema> {
  return parseInput(schema, inputOf(schema, typed));
}

/**
 * Converts typed fields to their schema's input: an empty optional field becomes `null` or absent, depending on the
 * schema, and tags are split at commas.
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
  if (accepts([])) return splitWords(text);
  return textOrNull(text) ?? (accepts(null) ? null : undefined);
}

export function valuesOf(fields: Fields, record: object): FormValues {
  const known = Object.entries(record).filter(([name]) => name === "version" || Object.hasOwn(fields, name));
  return Object.fromEntries(
    known.map(([name, value]) => [name, Array.isArray(value) ? joinWords(value) : String(value ?? "")]),
  );
}

/** Returns the text of a field; `null` if empty. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text.trim();
}

/** Returns the version that a form is based on, as a precondition. */
export function versionOf({ version }: FormValues): { readonly ifMatch: readonly number[] } {
  return { ifMatch: [Number(version)] };
}

/** The path to redirect to, or the response itself. */
export type Target = string | Response;

export function respond(context: DashboardContext, target: Target): Response {
  return typeof target === "string" ? context.redirect(target, 303) : target;
}

/** A form submission. */
export interface Attempt {
  readonly values: FormValues;
  /** Writes the submitted values. */
  accept(): Promise<Target>;
  again(state: FormState, problem: ProblemError): Response | Promise<Response>;
}

// Problems that users can fix in the form.
export const FIXABLE: ReadonlySet<number> = new Set([409, 412, 413, 415, 422]);

/** Processes a form; if a rule rejects it, shows the form again with all input. */
export async function attempt(context: DashboardContext, { values, accept, again }: Attempt): Promise<Response> {
  try {
    return respond(context, await accept());
  } catch (error) {
    if (!(error instanceof ProblemError) || !FIXABLE.has(PROBLEMS[error.code].status)) throw error;
    return await again(refusedForm(values, error), error);
  }
}

const OVERTAKEN =
  "Someone else changed this after you opened it, so nothing was done. Look at it again before you repeat this.";

/** Returns what a problem says to a user, as a sentence: details that name a version number are for programs. */
export function detailOf({ code, details: { detail, members } }: ProblemError): string | undefined {
  return code === "version_mismatch" && members?.["version"] !== undefined ? OVERTAKEN : detail;
}

/** Returns the form to show again, with all input and the errors. */
export function refusedForm(values: FormValues, error: ProblemError): FormState {
  const { code } = error;
  const [detail, errors] = [detailOf(error), error.details.errors ?? []];
  const only = errors.length === 1 ? detail : undefined;
  const said = errors.map((error) => [error.pointer.split("/")[2] ?? "", only ?? sentenceOf(error.detail)] as const);
  const placed = said.filter(([name]) => Object.hasOwn(values, name));
  const problem = placed.length === 0 ? (detail ?? said[0]?.[1] ?? PROBLEMS[code].title) : undefined;
  return { values, errors: Object.fromEntries(placed), problem, status: PROBLEMS[code].status };
}

// The API's details, such as "is taken", follow a pointer; next to a field, they become sentences.
function sentenceOf(detail: string): string {
  const text = /^(?:is|has|names|must|may|holds) /.test(detail) ? `This ${detail}` : detail;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * A form whose record was changed by someone else: keeps the input and shows the saved value next to each field; saving
 * again replaces it. `saved` includes what the form is based on.
 */
export function overtakenForm({ values, status }: FormState, saved: FormValues): FormState {
  const problem =
    "Someone else changed this in the meantime. Your input is kept below; saving again replaces their changes.";
  return { values: { ...values, ...basisOf(saved) }, saved, errors: {}, status, problem };
}
