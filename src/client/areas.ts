import { ImprintError } from "../base/error.ts";
import type { Row } from "../contract/route.ts";
import { isOutOfRoom } from "./out-of-room.ts";
import { KEY_HINT, quoted } from "./transport/errors.ts";
import { failureOf, type RequestFailure } from "./transport/outcome.ts";

// A plan or a key may lack individual areas, and a host may not have implemented all of them. That must not look like a
// rejected key or a wrong address, which block everything.

/** Tracks which areas of a service respond, and explains what a failure in one of them means. */
export interface Areas {
  /** Records that a request got a valid response. */
  recordResponse(route: Row): void;
  /**
   * Returns whether a write got a web page that isn't the service's, such as a proxy's, although its area responds
   * otherwise, or whether a list that was read before got one, as during maintenance.
   */
  isStray(error: unknown, route: Row): boolean;
  /** Returns the error that a failed operation must throw. */
  judge(error: unknown, route: Row): Promise<unknown>;
}

export interface AreasOptions {
  readonly baseUrl: string;
  /** Whether the service has responded to this key before. */
  readonly isProven: () => boolean;
  /** Requests the shortest list of pages; throws the client's errors. */
  readonly askPages: () => Promise<unknown>;
}

export function createAreas({ baseUrl, isProven, askPages }: AreasOptions): Areas {
  const answered = new Set<string>();
  const done = new Set<string>();
  const refusals = new Map<string, number>();
  let hasWritten = false;
  let check: Promise<unknown> | undefined;

  // Whether the key and the address work for pages. Returns an error if the key doesn't.
  async function prove(area: string): Promise<"proven" | "unproven" | ImprintError> {
    if (isProven() || answered.size > 0) return "proven";
    if (area === "pages") return "unproven";
    check ??= askPages().then(
      () => answered.add("pages"),
      (error: unknown) => error,
    );
    const error = await check;
    if (!(error instanceof Error)) return "proven";
    return error instanceof ImprintError && failureOf(error)?.status === 401 ? error : "unproven";
  }

  function isStray(error: unknown, { operation, method }: Row): boolean {
    if (!(error instanceof ImprintError) || error.code !== "SERVICE_WRONG_ADDRESS") return false;
    const isWebPage = (failureOf(error)?.status ?? 0) < 300 && error.hint?.startsWith(KEY_HINT) !== true;
    const isList = operation.endsWith(".list");
    return isWebPage && (method === "GET" ? isList && done.has(operation) : answered.has(areaOf(operation)));
  }

  return {
    recordResponse({ operation, method }) {
      answered.add(areaOf(operation));
      done.add(operation);
      hasWritten ||= method !== "GET";
    },
    isStray,
    async judge(error, route) {
      const failure = failureOf(error);
      if (!(error instanceof ImprintError) || failure === undefined) return error;
      const area = areaOf(route.operation);
      if (isStray(error, route)) {
        return new ImprintError("RESPONSE_UNREADABLE", error.message, { cause: error, hint: STRAY_HINT });
      }
      if (answered.has(area) && isMissingRecord(error, { failure, route })) {
        return new ImprintError("SERVICE_REFUSED", error.message, { cause: error });
      }
      // A full account may still take changed pages.
      if (failure.status === 403 && route.method !== "GET" && !hasWritten && !isOutOfRoom(error)) {
        refusals.set(area, (refusals.get(area) ?? 0) + 1);
        const isOther = [...refusals.keys()].some((other) => other !== "pages");
        if (area === "pages" && (isOther || (refusals.get(area) ?? 0) >= MANY_REFUSED)) {
          const message = `${error.message} The service has refused every write of this run.`;
          return new ImprintError("KEY_LIMITED", message, { cause: error });
        }
      }
      // The service accepted other records of this kind and refuses only this one.
      const isAboutOne = failure.status === 402 || failure.status === 403;
      if (isAboutOne && route.method !== "GET" && done.has(route.operation)) {
        return new ImprintError("SERVICE_REFUSED", error.message, { cause: error });
      }
      if (!(area in LABELS) || !isAboutArea(error, { failure, route })) return error;
      const proof = await prove(area);
      if (proof === "unproven") return error;
      return proof === "proven" ? refused(error, { failure, area, route, baseUrl }) : proof;
    },
  };
}

const STRAY_HINT =
  "It responded as expected before, so it may be down for maintenance. Run again later. If this persists, check whether a proxy between you and the service changes responses.";

// One page may be refused for itself, and one area for the plan. Without any accepted write, the others are, too.
const MANY_REFUSED = 5;

interface Failed {
  readonly failure: RequestFailure;
  readonly route: Row;
}

// A web page or an unknown route instead of a record, although the list of its kind exists.
function isMissingRecord(error: ImprintError, { failure, route }: Failed): boolean {
  const isNamed = route.path.includes(":");
  return (
    isNamed && error.code === "SERVICE_WRONG_ADDRESS" && failure.status === 404 && failure.problemCode === undefined
  );
}

function isAboutArea(error: ImprintError, { failure: { status }, route }: Failed): boolean {
  if (status === undefined || status === 401) return false;
  // A write that got a web page in response may have been carried out.
  if (status < 400 && route.method !== "GET") return false;
  // Such a login is fixed by granting it the scope named in the response.
  if (error.code === "LOGIN_LIMITED") return !/ needs the scope /.test(error.message);
  if (status === 402 || status === 403 || status === 501 || error.code === "SERVICE_WRONG_ADDRESS") return true;
  const isList = route.method === "GET" && !route.path.includes(":");
  return isList && (status === 400 || status === 415 || status === 422);
}

interface Refused extends Failed {
  readonly area: string;
  readonly baseUrl: string;
}

function refused(error: ImprintError, { failure, area, route, baseUrl }: Refused): ImprintError {
  const { status, said } = failure;
  const label = LABELS[area] ?? area;
  const request = `${route.method} ${route.path}`;
  const answer = status !== undefined && status < 300 ? "a web page instead of JSON" : `${status}${quoted(said)}`;
  if (status === 405 && route.method !== "GET") {
    const hint = "Use the service's dashboard if it supports this.";
    return new ImprintError("AREA_REFUSED", `${baseUrl} doesn't allow ${request} (${answer}).`, { cause: error, hint });
  }
  const scope = / needs the scope (\S+)\./.exec(error.message)?.[1];
  const message =
    error.code === "SERVICE_WRONG_ADDRESS" || error.code === "NOT_SUPPORTED"
      ? `${baseUrl} has no ${label}: ${request} returned ${answer}.`
      : `${baseUrl} refused ${label}: ${answer}.`;
  const needed = scope === undefined ? "" : ` The API key needs the scope ${scope}.`;
  return new ImprintError("AREA_REFUSED", `${message}${needed}`, { cause: error });
}

export function areaOf(operation: string): string {
  const [resource = ""] = operation.split(".");
  return resource === "submissions" ? "forms" : resource === "posts" ? "blogs" : resource;
}

// The areas in the specification, and releases, without which pages are published one by one. Keys, webhooks, and the
// rest are extensions of our own service.
const LABELS: Readonly<Record<string, string>> = {
  pages: "pages",
  sites: "sites",
  assets: "the library",
  blogs: "blogs",
  analytics: "analytics",
  forms: "forms",
  domains: "custom domains",
  brandKits: "brand kits",
  releases: "releases",
};
