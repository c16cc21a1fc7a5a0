import { ImprintError } from "../base/error.ts";
import type { RecordContext } from "./records/read-record.ts";

// An answer may say no more than that something was made. It is then looked for in the list, and never made again.

/** The last part of the address in `Location`: the id of what was made, where it is an address of the API. */
export function idOfLocation({ headers }: { readonly headers: ReadonlyMap<string, string> }): string | undefined {
  const url = URL.parse(headers.get("location") ?? "", "http://service.invalid/");
  const segments = url?.pathname.split("/").filter((segment) => segment !== "") ?? [];
  const last = segments.at(-1);
  if (last === undefined || !segments.includes("api") || segments.length < 3) return undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The newest of several records; `undefined` when there is none, or when they can't be told apart. */
export function newestOf<Entry extends { readonly createdAt?: Date }>(entries: readonly Entry[]): Entry | undefined {
  if (entries.length <= 1) return entries[0];
  const sorted = entries.toSorted(
    (left, right) => (right.createdAt?.getTime() ?? 0) - (left.createdAt?.getTime() ?? 0),
  );
  const [first, second] = sorted;
  return first?.createdAt !== undefined && first.createdAt.getTime() !== second?.createdAt?.getTime()
    ? first
    : undefined;
}

/** The error for a record that was made, but whose id can't be found out. */
export function madeWithoutId(what: string, { baseUrl, from }: RecordContext): ImprintError {
  return new ImprintError(
    "RESPONSE_UNREADABLE",
    `${baseUrl} accepted ${from} for ${what}, but neither its answer nor a list tells the id.`,
    { hint: `Look for it in the service's dashboard before running again, so that it isn't created twice.` },
  );
}
