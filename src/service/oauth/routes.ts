import type { Hono } from "hono";
import type { Core } from "../host/core.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import { OAUTH_PATHS } from "../auth/addresses.ts";
import { describeResource, describeServer } from "./documents.ts";
import { createProviderPort } from "./ask-provider.ts";
import { allowOrigins, createEndpoint, openDocument, type EndpointName } from "./endpoints.ts";

// The routes of OAuth belong to route set B. At the root they are there in both, since that is where programs look.
const PREFIXES = ["", "/b"];

/** Registers the authorization server. */
export function registerOAuth(app: Hono<ServiceEnv>, core: Core): void {
  const port = createProviderPort(core);
  let loading: Promise<(request: Request) => Promise<Response>> | undefined;
  const load = async () => {
    const { createAuthorize } = await import("./authorize.ts");
    return createAuthorize(core, port);
  };
  for (const prefix of PREFIXES) {
    app.on(["GET", "POST"], `${prefix}${OAUTH_PATHS.authorize}`, async ({ req }) => {
      loading ??= load();
      return await (
        await loading
      )(req.raw);
    });
    registerEndpoint("token", prefix);
  }
  if (core.settings.strict) return;
  registerEndpoint("register", "");
  registerEndpoint("revoke", "");
  registerDocuments(app, core);

  function registerEndpoint(name: EndpointName, prefix: string): void {
    const endpoint = createEndpoint(core, port, name);
    app.post(`${prefix}${OAUTH_PATHS[name]}`, ({ req, env }) => endpoint(req.raw, env));
    app.options(`${prefix}${OAUTH_PATHS[name]}`, () => allowOrigins("POST"));
  }
}

const SERVER_DOCUMENT = "/.well-known/oauth-authorization-server";
const RESOURCE_DOCUMENT = "/.well-known/oauth-protected-resource";

function registerDocuments(app: Hono<ServiceEnv>, { addresses: { appUrl } }: Core): void {
  // Where the service is known below a path, that path stands at the end of a well-known address.
  const base = new URL(appUrl).pathname.replace(/\/$/, "");
  const restOf = (path: string, document: string) => path.slice(document.length).replace(base, "");
  for (const pattern of [SERVER_DOCUMENT, `${SERVER_DOCUMENT}/*`]) {
    app.get(pattern, ({ req }) => {
      if (restOf(req.path, SERVER_DOCUMENT) !== "") throw new ProblemError("no_such_route");
      return openDocument(describeServer(appUrl));
    });
    app.options(pattern, () => allowOrigins("GET"));
  }
  for (const pattern of [RESOURCE_DOCUMENT, `${RESOURCE_DOCUMENT}/*`]) {
    app.get(pattern, ({ req }) => {
      const document = describeResource(appUrl, restOf(req.path, RESOURCE_DOCUMENT));
      if (document === undefined) throw new ProblemError("no_such_route");
      return openDocument(document);
    });
    app.options(pattern, () => allowOrigins("GET"));
  }
}
