import { checkScope, type Credential } from "./authenticate.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Audience } from "./addresses.ts";
import { type HttpRequest, addressOf } from "../http/request.ts";
import type { Caller } from "../http/rate-limiter.ts";
import { ProblemError } from "../http/problem.ts";
import type { RouteRequest } from "../api/serve-route.ts";

/**
 * Finds out who sends a request and whether that key may use the route; counts the request for the rate limit. A
 * route that needs no key gives `undefined` when none is sent.
 */
export async function identify(
  core: Core,
  { route, request, exchange }: RouteRequest,
): Promise<Credential | undefined> {
  const header = request.headers.get("Authorization") ?? undefined;
  if (route.scope === undefined && header === undefined) {
    await countRequest(core, { request, exchange }, undefined);
    return undefined;
  }
  const credential = await identifyBearer(core, { request, audience: "api", exchange });
  if (route.scope !== undefined) checkScope(credential, route.scope, core.challenges);
  return credential;
}

export interface BearerOptions {
  readonly request: Pick<HttpRequest, "headers">;
  /** What an access token has to be made for. */
  readonly audience: Audience;
  readonly exchange: RequestContext;
}

/** Who the `Authorization` header names, when that one may use the service at all; counts the request. */
export async function identifyBearer(core: Core, { request, audience, exchange }: BearerOptions): Promise<Credential> {
  const { authenticator } = core;
  const header = request.headers.get("Authorization") ?? undefined;
  const credential = await authenticator
    .authenticate(header, core.now(), { audience })
    .catch(async (error: unknown) => {
      await countRequest(core, { request, exchange }, undefined);
      throw error;
    });
  exchange.tell({ accountId: credential.accountId, keyId: credential.keyId });
  await countRequest(core, { request, exchange }, credential);
  if (credential.kind === "key") checkPlan(core);
  return credential;
}

async function countRequest(
  core: Core,
  { request, exchange }: Pick<BearerOptions, "request" | "exchange">,
  credential: Credential | undefined,
): Promise<void> {
  if (core.rateLimiter === undefined) return;
  const caller: Caller =
    credential === undefined
      ? { kind: "address", id: addressOf(request, exchange, core.settings) }
      : { kind: "key", id: credential.keyId };
  exchange.addHeaders(await core.rateLimiter.count(caller, core.now()));
}

function checkPlan({ settings: { plan, apiKeyPlans } }: Core): void {
  if (apiKeyPlans.includes(plan)) return;
  throw new ProblemError("plan_required", {
    detail: `API keys need one of the plans ${apiKeyPlans.join(", ")}; the account has ${plan}.`,
  });
}
