import type * as z from "zod";
import { ProblemError } from "../resources/problem-error.ts";
import { pointerErrors } from "./pointer-errors.ts";

/** Parses the query of a request; throws `invalid_query` with a pointer to each field that is wrong or unknown. */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: string): z.infer<Schema> {
  const parsed = schema.safeParse(query === "" ? {} : splitQuery(query));
  if (!parsed.success) throw new ProblemError("invalid_query", { errors: pointerErrors(parsed.error, "/query") });
  return parsed.data;
}

function splitQuery(query: string): Readonly<Record<string, string>> {
  const parameters = new URLSearchParams(query);
  const repeated = [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1);
  if (repeated.length > 0) {
    throw new ProblemError("invalid_query", {
      errors: repeated.map((name) => ({ pointer: `/query/${name}`, detail: "is given more than once" })),
    });
  }
  return Object.fromEntries(parameters);
}
