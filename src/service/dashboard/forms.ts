import * as z from "zod";
import { PROBLEMS } from "../../contract/problems.ts";
import { ProblemError, pointerErrors } from "../http/problem.ts";
import { readBody, type BodyLimit } from "../http/request.ts";
import { refusedForm, type FormState } from "./form-state.ts";
import type { DashboardContext } from "./scene.ts";

/** What a form of the dashboard sent. */
export interface SentForm {
  /** The text fields; of a name that came several times the last. */
  readonly values: Readonly<Record<string, string>>;
  /** The file fields in which a file was chosen. */
  readonly files: readonly File[];
}

/** Reads a form of at most so many bytes, by default as many as a JSON body of the API may have. */
export async function readForm(context: DashboardContext, limit?: BodyLimit): Promise<SentForm> {
  const request = context.req.raw;
  const { maxJsonBodyBytes } = context.var.scene.records.limits;
  const bytes = await readBody(request, limit ?? { maxBytes: maxJsonBodyBytes, code: "body_too_large" });
  const entries = [...(await parseForm(bytes, request.headers.get("Content-Type") ?? ""))];
  return {
    values: Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value.replaceAll("\r\n", "\n")]] : [])),
    ),
    files: entries.flatMap(([, value]) => (typeof value === "string" || value.name === "" ? [] : [value])),
  };
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch (error) {
    throw new ProblemError("malformed_body", { detail: "This is not what a form sends.", cause: error });
  }
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

export interface Attempt {
  readonly values: FormState["values"];
  /** Writes what was sent, and answers. */
  accept(): Promise<Response>;
  /** Shows the form once more. */
  again(state: FormState, problem: ProblemError): Response | Promise<Response>;
}

// Problems that whoever filled in the form can mend there.
const MENDABLE: ReadonlySet<number> = new Set([409, 412, 413, 415, 422]);

/** Does what a form asks for; where a rule refuses that, the form is shown again and nothing typed is lost. */
export async function attempt({ values, accept, again }: Attempt): Promise<Response> {
  try {
    return await accept();
  } catch (error) {
    if (!(error instanceof ProblemError) || !MENDABLE.has(PROBLEMS[error.code].status)) throw error;
    return await again(refusedForm(values, error), error);
  }
}

/** The text of a field; `null` for an empty one. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text.trim();
}

/** The version that a form was filled in for, as a precondition of its writing. */
export function versionOf({ version }: Readonly<Record<string, string>>): { readonly ifMatch: readonly number[] } {
  return { ifMatch: [Number(version)] };
}
