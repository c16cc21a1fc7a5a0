import { ImprintError } from "../base/error.ts";
import { accountSchema, type Account } from "../contract/extension-records.ts";
import type { OperationName } from "../contract/operations.ts";
import type { RouteSetName } from "../contract/route.ts";
import { isJsonObject } from "../base/json.ts";
import { fieldOf } from "./records/fields.ts";
import { contentOf, parseListPart } from "./records/parse-list.ts";
import { findRoute, pathOf } from "./routes.ts";
import { KEY_HINT } from "./transport/errors.ts";
import { failureOf } from "./transport/outcome.ts";
import type { Reply, Transport } from "./transport/transport.ts";

export interface Discovered {
  readonly routeSet: RouteSetName;
  readonly account: Account | undefined;
  /** Whether the service has responded to a request with this key. */
  readonly isProven: boolean;
}

interface Wish {
  readonly wanted: RouteSetName | "auto";
  /** The route set that the service had before. */
  readonly likely: RouteSetName | undefined;
  /** A request that only a service with that route set responds to, if already sent. */
  readonly proof?: Promise<unknown> | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Detects the route set of a service and what the account may do. Throws like `connect`. */
export async function discover(transport: Transport, { wanted, likely, proof, signal }: Wish): Promise<Discovered> {
  const isGuessed = wanted === "auto" && likely !== undefined;
  const ask = () => askFor(transport, { routeSet: likely ?? "a", operation: "assets.list", signal });
  const guess = isGuessed ? (proof?.then(() => PROVEN) ?? ask()) : undefined;
  // Problems with the service are reported by the account request, or by detection without the guess.
  guess?.catch(() => {});
  const account = await findAccount(transport, signal);
  if (account !== undefined && wanted !== "auto" && account.routeSet !== wanted) {
    const message = `${transport.baseUrl} uses route set ${account.routeSet.toUpperCase()}, but \`routeSet\` is "${wanted}".`;
    throw new ImprintError("OPTIONS_INVALID", message, { hint: "Correct `routeSet`, or remove it." });
  }
  if (account !== undefined) return { routeSet: account.routeSet, account, isProven: true };
  if (wanted !== "auto") return { routeSet: wanted, account, isProven: false };
  const guessed = await guess?.catch(() => undefined);
  if (likely !== undefined && guessed?.kind === "there") {
    return { account, routeSet: likely, isProven: guessed.isProven };
  }
  return { account, ...(await probe(transport, { likely, signal })) };
}

async function findAccount(transport: Transport, signal: AbortSignal | undefined): Promise<Account | undefined> {
  try {
    const { json } = await ask(transport, { routeSet: "a", operation: "account.get", signal });
    return accountSchema.safeParse(json, { jitless: true }).data;
  } catch (error) {
    // The route is an extension. Whatever a service without it responds here, real requests get their own errors; a key
    // that isn't accepted at all is reported immediately.
    const status = failureOf(error)?.status;
    if (status === undefined || status === 401 || status === 429) throw error;
    if (status >= 500 && status !== 501) throw error;
    return undefined;
  }
}

// The route sets differ in the library: only A has GET /api/library, only B has GET /api/assets.
async function probe(
  transport: Transport,
  { likely, signal }: Pick<Wish, "likely" | "signal">,
): Promise<Pick<Discovered, "routeSet" | "isProven">> {
  const a = await askFor(transport, { routeSet: "a", operation: "assets.list", signal });
  if (a.kind === "there") return { routeSet: "a", isProven: a.isProven };
  const b = await askFor(transport, { routeSet: "b", operation: "assets.list", signal });
  if (b.kind === "there") return { routeSet: "b", isProven: b.isProven };
  // The library alone may be missing or refused. If pages respond, this is a service and the key is valid.
  const pages = await askFor(transport, { routeSet: "a", operation: "pages.list", signal });
  // A library that the key may not read exists, unless the service responds this way to everything.
  if (a.kind === "forbidden" && b.kind === "absent") return { routeSet: "a", isProven: pages.kind === "there" };
  if (b.kind === "forbidden" && a.kind === "absent") return { routeSet: "b", isProven: pages.kind === "there" };
  if (pages.kind !== "there") throw noService(transport, { a, pages });
  return { routeSet: await probeFurther(transport, { likely, signal }), isProven: true };
}

// Lists that only one of the sets has, and one route that requires a page.
const DISTINGUISHING = [
  { routeSet: "a", operation: "blogs.list" },
  { routeSet: "a", operation: "forms.list" },
  { routeSet: "a", operation: "analytics.summary" },
  { routeSet: "b", operation: "analytics.heatmap" },
] as const;

async function probeFurther(
  transport: Transport,
  { likely, signal }: Pick<Wish, "likely" | "signal">,
): Promise<RouteSetName> {
  for (const { routeSet, operation } of DISTINGUISHING) {
    const found = await askFor(transport, { routeSet, operation, signal });
    if (found.kind === "there") return routeSet;
    // Route set B has only POST there.
    if (operation === "blogs.list" && found.status === 405) return "b";
  }
  // Nothing contradicts what it had before.
  if (likely !== undefined) return likely;
  const message = `${transport.baseUrl} has pages, but its responses don't show whether it uses route set A or B.`;
  const hint = 'Set `routeSet` to "a" if PUT /api/pages/:slug creates a page, or to "b" if POST /api/pages does.';
  throw new ImprintError("OPTIONS_INVALID", message, { hint });
}

type Found =
  | { readonly kind: "there"; readonly isProven: boolean; readonly status?: undefined }
  | { readonly kind: "forbidden" | "absent"; readonly error: ImprintError; readonly status: number | undefined };

const PROVEN = { kind: "there", isProven: true } as const;

async function askFor(transport: Transport, place: Place & { readonly operation: OperationName }): Promise<Found> {
  const { operation } = place;
  try {
    const query: Record<string, string> = operation === "analytics.heatmap" ? {} : { limit: "1" };
    const reply = await ask(transport, { ...place, query });
    if (isAnswerTo(operation, reply)) return PROVEN;
    const message = `${transport.baseUrl} doesn't respond with a list to ${findRoute(place.routeSet, operation)?.path}.`;
    return { kind: "absent", error: new ImprintError("SERVICE_WRONG_ADDRESS", message), status: 200 };
  } catch (error) {
    const status = failureOf(error)?.status;
    // If it rejects the query, it knows the route.
    if (status === 400 || status === 422) return { kind: "there", isProven: false };
    if (!(error instanceof ImprintError) || status === undefined || status === 401) throw error;
    if (status === 402 || status === 403) return { kind: "forbidden", error, status };
    const isAbsent = status === 404 || status === 410 || status === 501 || error.code === "SERVICE_WRONG_ADDRESS";
    if (isAbsent) return { kind: "absent", error, status };
    throw error;
  }
}

// Another program may respond at such an address with its own JSON.
function isAnswerTo(operation: OperationName, reply: Reply): boolean {
  const { json } = reply;
  if (operation === "analytics.heatmap") return isJsonObject(json) && Array.isArray(fieldOf(json, "points", "clicks"));
  const names = LIST_NAMES[operation] ?? [];
  const part = parseListPart(contentOf(reply), { names, headers: reply.headers, query: {}, before: 0 });
  return part?.items.every((item) => isJsonObject(item)) === true;
}

const LIST_NAMES: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  "assets.list": ["assets", "library", "files", "images"],
  "pages.list": ["pages"],
  "blogs.list": ["blogs"],
  "forms.list": ["forms"],
  "analytics.summary": ["pages"],
};

function noService(
  { baseUrl }: Transport,
  { a, pages }: { readonly a: Exclude<Found, { kind: "there" }>; readonly pages: Exclude<Found, { kind: "there" }> },
): ImprintError {
  // A key without any permissions, or a redirect of everything.
  if (pages.kind === "forbidden" || isRedirect(pages.error)) return pages.error;
  const names = (["a", "b"] as const).map((routeSet) => findRoute(routeSet, "assets.list")?.path);
  const message = `${baseUrl} has neither ${names.join(" nor ")} nor /api/pages, so it uses neither route set.`;
  // A service that hides what a key may not see responds with 404.
  const hint = [a.error.hint, failureOf(pages.error)?.status === 404 ? KEY_HINT : undefined]
    .filter((part) => part !== undefined)
    .join(" ");
  return new ImprintError("SERVICE_WRONG_ADDRESS", message, { cause: pages.error, hint });
}

function isRedirect(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return status !== undefined && status >= 300 && status < 400;
}

interface Place {
  readonly routeSet: RouteSetName;
  readonly signal: AbortSignal | undefined;
}

async function ask(
  transport: Transport,
  place: Place & { readonly operation: OperationName; readonly query?: Readonly<Record<string, string>> },
): Promise<Reply> {
  const { routeSet, operation, query = {}, signal } = place;
  const route = findRoute(routeSet, operation);
  if (route === undefined) throw new ImprintError("NOT_SUPPORTED", `Route set ${routeSet} has no ${operation}.`);
  return transport.send({
    operation,
    method: route.method,
    path: pathOf(route, { parameters: [], query }),
    namesRecord: false,
    repeat: "always",
    connection: "shared",
    expects: "json",
    signal,
  });
}
