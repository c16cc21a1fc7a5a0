import { ImprintError } from "../base/error.ts";
import type { OperationName } from "../contract/operations.ts";
import { accountSchema } from "../contract/records.ts";
import type { Account } from "../contract/records.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { ImprintApi } from "./api.ts";
import { createApi } from "./create-api.ts";
import { parseConnectionOptions } from "./options.ts";
import type { ConnectionOptions, ConnectOptions } from "./options.ts";
import { findRoute, pathOf } from "./route-table.ts";
import { failureOf } from "./transport/outcome.ts";
import { createTransport } from "./transport/transport.ts";
import type { Reply, Transport } from "./transport/transport.ts";

/**
 * Connects to a service: finds out its route set unless it is given, and reads what the account may do where the
 * service tells it (`GET /api/account`). Takes one request with our own service, up to three with another.
 *
 * Throws `SERVICE_UNREACHABLE`, `SERVICE_WRONG_ADDRESS` when neither route set is there, `KEY_REJECTED`,
 * `PLAN_REQUIRED`, and `OPTIONS_INVALID` when the service says that it speaks the other route set.
 *
 * @example
 * const api = await connect({ baseUrl: "http://localhost:4400", apiKey });
 * api.capabilities.operations.has("posts.patch");
 */
export async function connect(options: ConnectOptions): Promise<ImprintApi> {
  const settings = parseConnectionOptions(options);
  const transport = createTransport(settings);
  const { routeSet: wanted = "auto", signal } = options;
  try {
    const { routeSet, account } = await discover(transport, { wanted, signal });
    const { pagesUrl, dialect } = options;
    return createApi({ transport, routeSet, account, logger: settings.logger, pagesUrl, dialect });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/**
 * Finds out which route set a service speaks, with one to three requests that change nothing. Throws as `connect`
 * does.
 */
export async function detectRouteSet(options: ConnectionOptions): Promise<RouteSetName> {
  const transport = createTransport(parseConnectionOptions(options));
  try {
    const { routeSet } = await discover(transport, { wanted: "auto", signal: options.signal });
    return routeSet;
  } finally {
    await transport.close();
  }
}

interface Discovered {
  readonly routeSet: RouteSetName;
  readonly account: Account | undefined;
}

interface Wish {
  readonly wanted: RouteSetName | "auto";
  readonly signal: AbortSignal | undefined;
}

async function discover(transport: Transport, { wanted, signal }: Wish): Promise<Discovered> {
  const account = await findAccount(transport, signal);
  if (account !== undefined && wanted !== "auto" && account.routeSet !== wanted) {
    const message = `${transport.baseUrl} speaks route set ${account.routeSet.toUpperCase()}, but \`routeSet\` is "${wanted}".`;
    throw new ImprintError("OPTIONS_INVALID", message, { hint: "Correct `routeSet`, or leave it out." });
  }
  if (account !== undefined) return { routeSet: account.routeSet, account };
  return { routeSet: wanted === "auto" ? await probe(transport, signal) : wanted, account };
}

async function findAccount(transport: Transport, signal: AbortSignal | undefined): Promise<Account | undefined> {
  try {
    const { json } = await ask(transport, { routeSet: "a", operation: "account.get", signal });
    return accountSchema.safeParse(json).data;
  } catch (error) {
    // The route is an extension. Whatever a service that does not have it answers here, it answers the real requests
    // with what they deserve; a key that is not accepted at all, or a plan that is too small, is told at once.
    const status = failureOf(error)?.status;
    if (status === undefined || status === 401 || status === 402 || status === 429) throw error;
    if (status >= 500 && status !== 501) throw error;
    return undefined;
  }
}

// The library is where the sets differ: only A has GET /api/library, only B has GET /api/assets.
async function probe(transport: Transport, signal: AbortSignal | undefined): Promise<RouteSetName> {
  const a = await askLibrary(transport, { routeSet: "a", signal });
  if (a.kind === "there") return "a";
  const b = await askLibrary(transport, { routeSet: "b", signal });
  if (b.kind === "there") return "b";
  // A library that the key may not read is there, unless the service answers so to everything.
  if (a.kind === "forbidden" && b.kind === "absent") return "a";
  if (b.kind === "forbidden" && a.kind === "absent") return "b";
  if (a.kind === "forbidden" || isRedirect(a.error)) throw a.error;
  const names = (["a", "b"] as const).map((routeSet) => findRoute(routeSet, "assets.list")?.path);
  const message = `${transport.baseUrl} has neither ${names.join(" nor ")}, so it speaks neither route set.`;
  const { hint } = a.error;
  throw new ImprintError("SERVICE_WRONG_ADDRESS", message, { cause: a.error, hint });
}

type Library = { readonly kind: "there" } | { readonly kind: "forbidden" | "absent"; readonly error: ImprintError };

async function askLibrary(transport: Transport, { routeSet, signal }: Place): Promise<Library> {
  try {
    await ask(transport, { routeSet, operation: "assets.list", query: { limit: "1" }, signal });
    return { kind: "there" };
  } catch (error) {
    const status = failureOf(error)?.status;
    // Who refuses the query knows the route.
    if (status === 400 || status === 422) return { kind: "there" };
    if (!(error instanceof ImprintError) || status === undefined || status === 401 || status === 402) throw error;
    if (status === 403) return { kind: "forbidden", error };
    const isAbsent = status === 404 || status === 410 || status === 501 || error.code === "SERVICE_WRONG_ADDRESS";
    if (isAbsent) return { kind: "absent", error };
    throw error;
  }
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
    scope: route.scope,
    namesRecord: false,
    repeat: "always",
    connection: "shared",
    expects: "json",
    signal,
  });
}
