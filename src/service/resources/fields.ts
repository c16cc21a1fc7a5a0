import * as z from "zod";
import type { RecordContract } from "../../contract/fields.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import { isSlug, MAX_SLUG_LENGTH } from "../../contract/slug.ts";
import { ProblemError } from "../http/problem.ts";
import { findRow } from "../store/rows.ts";
import type { Context } from "./context.ts";

/** The record that was looked for; throws this problem when there is none. */
export function found<Stored>(record: Stored | undefined, code: ProblemCode): Stored {
  if (record === undefined) throw new ProblemError(code);
  return record;
}

/** A record with those of its fields that a request gives; a field that is `undefined` stays as it is. */
export function applyPatch<Stored extends object>(record: Stored, patch: Patch<Stored>): Stored {
  const given = Object.entries(patch).filter(([name, value]) => value !== undefined && name in record);
  return { ...record, ...Object.fromEntries(given) };
}

type Patch<Stored> = { readonly [Field in keyof Stored]?: Stored[Field] | undefined };

/** A problem with one field of a body, named by its path. */
export function fieldProblem(code: ProblemCode, field: string, detail: string): ProblemError {
  return new ProblemError(code, { errors: [{ pointer: `/body/${field}`, detail }] });
}

/** Throws `limit_reached` when an account that holds so many records may hold no more. */
export function checkLimit(count: number, max: number, records: string): void {
  if (count < max) return;
  throw new ProblemError("limit_reached", { detail: `An account holds at most ${max} ${records}.` });
}

/** Throws this problem for a site that the account does not have. */
export async function checkSite(
  { database, accountId }: Context,
  siteId: string | null | undefined,
  code: ProblemCode = "site_not_found",
): Promise<void> {
  if (siteId === undefined || siteId === null) return;
  if ((await findRow(database, "site", { accountId, id: siteId })) !== undefined) return;
  throw fieldProblem(code, "siteId", "names no site");
}

/** Takes a slug as it is, or throws `invalid_slug` that names it. */
export function checkSlug(slug: string, pointer: string): string {
  if (isSlug(slug)) return slug;
  const shown = slug.length > MAX_SLUG_LENGTH ? `${slug.slice(0, MAX_SLUG_LENGTH)}…` : slug;
  throw new ProblemError("invalid_slug", {
    detail: `The slug ${JSON.stringify(shown)} is not valid: use lower-case letters and digits in groups joined by one or two hyphens, at most ${MAX_SLUG_LENGTH} characters.`,
    errors: [{ pointer, detail: "is not a valid slug" }],
  });
}

/** A slug made of a name; `fallback` when the name has no letter or digit that a slug can hold. */
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

/** What a view has to compute: the fields that the stored record does not have under the same name. */
type Computed<Stored, Contract extends RecordContract> = Omit<Wire<Contract>, keyof Stored> & Partial<Wire<Contract>>;

/** Makes what shows a stored record: its fields in the order of the contract, times as text. */
export function createView<Stored extends object, Contract extends RecordContract>({ full }: Contract) {
  const names = Object.keys(full.shape).filter((name) => !(full.shape[name] instanceof z.ZodOptional));
  return (stored: Stored, computed: Computed<Stored, Contract>): Wire<Contract> => {
    const own: Readonly<Record<string, unknown>> = Object(stored);
    const added: Readonly<Record<string, unknown>> = Object(computed);
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
// As ISO 8601 has them: `12:00:00.000Z`.
const TIME_LENGTH = 13;

let knownDay = { number: Number.NaN, date: "" };

/** A time as ISO 8601, as `toISOString` gives it. That one takes longer than all else in showing a record. */
export function formatTime(time: Date): string {
  const at = time.getTime();
  const number = Math.floor(at / DAY_MS);
  if (number !== knownDay.number) knownDay = { number, date: time.toISOString().slice(0, -TIME_LENGTH) };
  const ms = at - number * DAY_MS;
  const clock = `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${digits((ms / 1000) % 60)}`;
  return `${knownDay.date}${clock}.${String(ms % 1000).padStart(3, "0")}Z`;
}

/** The whole part of a number below 100, with two digits. */
function digits(value: number): string {
  return value < 10 ? `0${Math.trunc(value)}` : String(Math.trunc(value));
}
