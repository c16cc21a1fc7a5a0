import * as z from "zod";
import type { RecordContract } from "../../contract/fields.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import { isSlug, MAX_SLUG_LENGTH } from "../../contract/slug.ts";
import { ProblemError } from "../http/problem.ts";
import { findRow } from "../store/rows.ts";
import type { Context } from "./context.ts";

/** Returns the record, or throws this problem if there is none. */
export function found<Stored>(record: Stored | undefined, code: ProblemCode): Stored {
  if (record === undefined) throw new ProblemError(code);
  return record;
}

/** Returns a record with the given fields replaced; `undefined` fields stay unchanged. */
export function applyPatch<Stored extends object>(record: Stored, patch: Patch<Stored>): Stored {
  const given = Object.entries(patch).filter(([name, value]) => value !== undefined && name in record);
  return { ...record, ...Object.fromEntries(given) };
}

type Patch<Stored> = { readonly [Field in keyof Stored]?: Stored[Field] | undefined };

/** Creates a problem with a field of a body. */
export function fieldProblem(code: ProblemCode, field: string, detail: string): ProblemError {
  return new ProblemError(code, { errors: [{ pointer: `/body/${field}`, detail }] });
}

/** Throws `limit_reached` if the account has reached the maximum number of records. */
export function checkLimit(count: number, max: number, records: string): void {
  if (count < max) return;
  throw new ProblemError("limit_reached", { detail: `An account can have at most ${max} ${records}.` });
}

/** Throws this problem if the account doesn't have the site. */
export async function checkSite(
  { database, accountId }: Context,
  siteId: string | null | undefined,
  code: ProblemCode = "site_not_found",
): Promise<void> {
  if (siteId === undefined || siteId === null) return;
  if ((await findRow(database, "site", { accountId, id: siteId })) !== undefined) return;
  throw fieldProblem(code, "siteId", "is not the ID of a site");
}

/** Returns the slug if it is valid. Throws `invalid_slug` with a pointer. */
export function checkSlug(slug: string, pointer: string): string {
  if (isSlug(slug)) return slug;
  const shown = slug.length > MAX_SLUG_LENGTH ? `${slug.slice(0, MAX_SLUG_LENGTH)}…` : slug;
  throw new ProblemError("invalid_slug", {
    detail: `The slug ${JSON.stringify(shown)} is invalid: use lowercase letters and digits in groups joined by one or two hyphens, at most ${MAX_SLUG_LENGTH} characters.`,
    errors: [{ pointer, detail: "is not a valid slug" }],
  });
}

/** Creates a slug from a name; `fallback` if the name has no suitable letter or digit. */
export function slugFrom(name: string, fallback: string): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  return isSlug(slug) ? slug : fallback;
}

type Wire<Contract extends RecordContract> = z.output<Contract["full"]>;

type Computed<Stored, Contract extends RecordContract> = Omit<Wire<Contract>, keyof Stored> & Partial<Wire<Contract>>;

/**
 * Creates a function that returns a stored record's fields in the order of the contract, with times as text; `compute`
 * returns those that aren't stored.
 */
export function createView<Contract extends RecordContract, Stored extends object, Rest extends readonly unknown[]>(
  { full }: Contract,
  compute: (stored: Stored, ...rest: Rest) => Computed<Stored, Contract>,
) {
  const names = Object.keys(full.shape).filter((name) => !(full.shape[name] instanceof z.ZodOptional));
  return (stored: Stored, ...rest: Rest): Wire<Contract> => {
    const own: Readonly<Record<string, unknown>> = Object(stored);
    const added: Readonly<Record<string, unknown>> = Object(compute(stored, ...rest));
    const shown: Record<string, unknown> = {};
    // Not `Object.fromEntries`: this runs for every record of a list.
    for (const name of names) shown[name] = toWire(name in added ? added[name] : own[name]);
    // In `dev`, every response is checked against the contract.
    return shown as Wire<Contract>;
  };
}

function toWire(value: unknown): unknown {
  return value instanceof Date ? formatTime(value) : value;
}

const DAY_MS = 24 * 60 * 60 * 1000;
// The length of an ISO 8601 time: `12:00:00.000Z`.
const TIME_LENGTH = 13;

let knownDay = { number: Number.NaN, date: "" };

/** Formats a time like `toISOString`, which would take longer than the rest of a record's view. */
export function formatTime(time: Date): string {
  const at = time.getTime();
  const number = Math.floor(at / DAY_MS);
  if (number !== knownDay.number) knownDay = { number, date: time.toISOString().slice(0, -TIME_LENGTH) };
  const ms = at - number * DAY_MS;
  const clock = `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${digits((ms / 1000) % 60)}`;
  return `${knownDay.date}${clock}.${String(ms % 1000).padStart(3, "0")}Z`;
}

/** Formats the integer part of a number below 100 with two digits. */
function digits(value: number): string {
  return value < 10 ? `0${Math.trunc(value)}` : String(Math.trunc(value));
}
