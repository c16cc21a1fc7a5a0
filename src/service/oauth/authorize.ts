import { includesScope } from "../../contract/people.ts";
import { findPerson, isFromOwnPage, mayHoldBackCookie, type Person } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import { createSignIn } from "../app-pages/sign-in.tsx";
import { readBody } from "../http/messages.ts";
import { OAUTH_PATHS } from "../auth/addresses.ts";
import type { ProviderAnswer, ProviderPort } from "./provider.ts";
import { renderConsent, renderRefusal } from "./consent-page.tsx";
import { DEFAULT_SCOPES, type GrantableScope, parseScopes } from "../auth/grantable-scopes.ts";

/** Creates the handler of `/oauth/authorize`: for a program's request, and for the user's decision. */
export function createAuthorize(core: Core, port: ProviderPort): (request: Request) => Promise<Response> {
  const signIn = createSignIn(core);

  async function begin(fields: URLSearchParams, request: Request): Promise<Response> {
    const address = new Request(`${core.addresses.appUrl}${OAUTH_PATHS.authorize}?${fields.toString()}`, {
      headers: request.headers,
    });
    const person = await personOf(core, request);
    if (person === undefined) {
      // A POST from another site is reloaded as a GET, so that the browser sends its cookie.
      return mayHoldBackCookie(address) ? signIn.reload(address) : await signIn.ask(address);
    }
    const mode = fields.get("response_mode") ?? "query";
    if (mode !== "query")
      return renderRefusal(core, `The program requested the response mode "${mode}", which isn't supported.`);
    const answer = await port.ask({ method: "GET", path: `${OAUTH_PATHS.authorize}?${prepare(fields).toString()}` });
    if (answer.consent === undefined) return hand(core, answer);
    const asked = scopesFor(person, String(answer.consent.context.oidc.params?.["scope"] ?? ""));
    if (asked.length > 0) return renderConsent(core, { ...answer.consent, scopes: asked });
    const result = { error: "invalid_scope", error_description: "this user can't grant any of the scopes" };
    return await finish(answer.consent.uid, result);
  }

  async function decide(fields: URLSearchParams, request: Request): Promise<Response> {
    const person = await personOf(core, request);
    if (person === undefined || !isFromOwnPage(request, core.addresses.appUrl)) {
      return renderRefusal(core, "This request didn't come from the consent page.");
    }
    const approved = scopesFor(person, fields.getAll("approve").join(" "));
    const isAllowed = fields.get("decision") === "allow" && approved.length > 0;
    return await finish(
      fields.get("form_token") ?? "",
      isAllowed
        ? {
            login: { accountId: person.accountId, remember: false },
            consent: { approved: approved.join(" "), userId: person.userId },
          }
        : { error: "access_denied", error_description: "the user denied access" },
    );
  }

  async function finish(uid: string, result: Readonly<Record<string, unknown>>): Promise<Response> {
    if (!(await port.settle(uid, result))) {
      return renderRefusal(core, "This request was already completed or has expired.");
    }
    const answered = await port.ask({ method: "GET", path: `${OAUTH_PATHS.authorize}/${uid}`, answered: uid });
    return hand(core, answered);
  }

  return async (request) => {
    if (request.method !== "POST") return await begin(new URL(request.url).searchParams, request);
    const limit = { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" } as const;
    const fields = new URLSearchParams(Buffer.from(await readBody(request, limit)).toString("utf8"));
    return fields.has("decision") ? await decide(fields, request) : await begin(fields, request);
  };
}

async function personOf({ store, now, addresses }: Core, request: Request): Promise<Person | undefined> {
  return await findPerson({ database: store.database, now: now(), addresses }, request);
}

/** Parses scopes that the user can grant: never more than their role has. */
function scopesFor({ scopes }: Person, text: string): readonly GrantableScope[] {
  return parseScopes(text).filter((scope) => includesScope(scopes, scope));
}

/** A program that requests no scopes is offered read access. */
function prepare(given: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(given);
  if ((fields.get("scope") ?? "").trim() === "") fields.set("scope", DEFAULT_SCOPES.join(" "));
  return fields;
}

/** Forwards the library's redirect, or reports its error. */
function hand(core: Core, { status, headers, body }: ProviderAnswer): Response {
  const { location } = headers;
  if (status >= 300 && status < 400 && typeof location === "string") {
    return new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store" } });
  }
  return renderRefusal(core, describeError(body));
}

function describeError(body: string): string {
  try {
    const { error, error_description: description = error } = Object(JSON.parse(body));
    return `The program's request is invalid: ${typeof description === "string" ? description : "unknown reason"}.`;
  } catch {
    return "The program's request is unreadable.";
  }
}
