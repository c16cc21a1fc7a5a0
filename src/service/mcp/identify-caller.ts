import type { Credential } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import { identifyBearer } from "../auth/identify.ts";
import { firstScopes } from "./scopes.ts";

/**
 * Who calls, by an API key or an access token that was made for `/mcp`; throws `invalid_token` with the way to a token
 * and the scopes to begin with.
 */
export async function identifyCaller(
  core: Core,
  { request, exchange }: { readonly request: Request; readonly exchange: RequestContext },
): Promise<Credential> {
  try {
    return await identifyBearer(core, { request, audience: "mcp", exchange });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== "invalid_token") throw error;
    const challenge = core.challenges.render({
      audience: "mcp",
      error: request.headers.has("Authorization") ? "invalid_token" : undefined,
      scopes: firstScopes(request.headers),
    });
    throw new ProblemError("invalid_token", { ...error.details, headers: { "WWW-Authenticate": challenge } });
  }
}
