import type { Core } from "../host/core.ts";
import { appHeaders, renderBare } from "../app-pages/bare-page.tsx";
import { findAudience, OAUTH_PATHS } from "../auth/addresses.ts";
import type { Consent } from "./provider.ts";
import { SCOPE_SENTENCES, type GrantableScope } from "../auth/grantable-scopes.ts";
import { hostOf, nameOf } from "./adapter.ts";

/** A consent request. */
export interface Question extends Consent {
  readonly scopes: readonly GrantableScope[];
}

/** Renders the page on which a user authorizes a program and selects its scopes. */
export function renderConsent(core: Core, { uid, context, scopes }: Question): Response {
  const { client, params, resourceServers = {} } = context.oidc;
  const redirectUri = String(params?.["redirect_uri"] ?? "");
  const name = client === undefined ? "A program" : nameOf(client);
  const audiences = Object.keys(resourceServers).map((resource) => findAudience(core.addresses.appUrl, resource));
  const main = (
    <>
      <h1>Authorize {name}?</h1>
      <p>
        <strong>{name}</strong> requests access to this service on your behalf
        {audiences.includes("mcp") ? ", over MCP" : ""}. It chose this name itself.
      </p>
      <Destination redirectUri={redirectUri} clientId={client?.clientId ?? ""} />
      <form method="post" action={OAUTH_PATHS.authorize}>
        <input type="hidden" name="form_token" value={uid} />
        <fieldset class="scopes">
          <legend>It may</legend>
          {scopes.map((scope) => (
            <label class="choice">
              <input type="checkbox" name="approve" value={scope} checked />
              <span>
                {SCOPE_SENTENCES[scope]} <code class="soft">{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <p class="answers">
          <button type="submit" name="decision" value="allow">
            Allow selected
          </button>{" "}
          <button type="submit" name="decision" value="deny" class="quiet">
            Deny
          </button>
        </p>
      </form>
      <p class="soft">It can never manage API keys or webhooks. You can revoke access under Connected apps.</p>
    </>
  );
  return renderBare(main, { status: 200, headers: headersFor(core, redirectUri), title: `Authorize ${name}?` });
}

function Destination({ redirectUri, clientId }: { readonly redirectUri: string; readonly clientId: string }) {
  const host = hostOf(redirectUri);
  const isDocument = clientId.startsWith("https://");
  return (
    <>
      <p>
        You will be sent to <strong>{host}</strong>
        {isDocument ? (
          <>
            . It is identified by <strong>{hostOf(clientId)}</strong>.
          </>
        ) : (
          "."
        )}
      </p>
      {isOnThisMachine(redirectUri) && (
        <p class="warning">
          That is a program on this computer. Any program here can claim the name above: continue only if you just
          started it yourself.
        </p>
      )}
    </>
  );
}

/** Explains an error on our own page: the request's redirect URL can't be trusted. */
export function renderRefusal(core: Core, reason: string): Response {
  const main = (
    <>
      <h1>Something went wrong</h1>
      <p>{reason}</p>
      <p class="soft">Go back to the program and start again there.</p>
    </>
  );
  return renderBare(main, { status: 400, headers: headersFor(core, undefined), title: "Something went wrong" });
}

// Browsers apply `form-action` to redirects, too, which lead to the program's URL.
function headersFor({ addresses }: Core, redirectUri: string | undefined): Readonly<Record<string, string>> {
  const headers = appHeaders(addresses.pagesUrl);
  const policy = headers["Content-Security-Policy"] ?? "";
  const target = redirectUri === undefined ? undefined : sourceOf(redirectUri);
  return {
    ...headers,
    "Content-Security-Policy":
      target === undefined ? policy : policy.replace("form-action 'self'", `form-action 'self' ${target}`),
  };
}

function sourceOf(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri);
  if (url === null) return undefined;
  const source = url.origin === "null" ? url.protocol : url.origin;
  return /^[\w.+:/[\]-]+$/.test(source) ? source : undefined;
}

function isOnThisMachine(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}
