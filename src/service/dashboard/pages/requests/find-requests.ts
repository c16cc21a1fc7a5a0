import type { RouteSetName } from "../../../../contract/route.ts";
import type { RequestLogEntry } from "../../../development/request-log.ts";
import type { Scene } from "../../scene.ts";

/** Which requests are asked for; absent: all. */
export interface RequestsFilter {
  readonly outcome: "success" | "problem" | undefined;
  readonly method: string | undefined;
  readonly routeSet: RouteSetName | undefined;
  /** What the path contains. */
  readonly path: string | undefined;
}

/** A part of the log, newest first. */
export interface RequestsPart {
  readonly items: readonly RequestLogEntry[];
  /** How many to pass over for the next part; `undefined` after the last. */
  readonly next: number | undefined;
}

/** Requests to the API that this process has answered. */
export function findRequests(
  { requestLog }: Scene,
  filter: RequestsFilter,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): RequestsPart {
  const fitting = requestLog
    .list()
    .filter((entry) => isOfApi(entry) && fits(entry, filter))
    .toReversed();
  const next = skip + limit;
  return { items: fitting.slice(skip, next), next: next < fitting.length ? next : undefined };
}

// The dashboard's own pages would bury what programs ask for.
function isOfApi({ path }: RequestLogEntry): boolean {
  return /^(?:\/[ab])?\/api\/|^\/(?:oauth|mcp)\b/.test(path);
}

function fits(entry: RequestLogEntry, { outcome, method, routeSet, path }: RequestsFilter): boolean {
  const isSuccess = entry.status >= 200 && entry.status < 400;
  return (
    (outcome === undefined || isSuccess === (outcome === "success")) &&
    (method === undefined || entry.method === method) &&
    (routeSet === undefined || entry.routeSet === routeSet) &&
    (path === undefined || entry.path.includes(path))
  );
}
