import { createSignInLink, isFromOwnPage, redeemSignInLink } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { ProblemError } from "../http/problem.ts";
import { addressOf, readBody } from "../http/request.ts";
import { appHeaders, renderBare } from "./bare-page.tsx";

/** Signing in to the dashboard. */
export interface SignIn {
  /** `GET /sign-in`: redeems a link's token, or says how to get a link. */
  show(request: Request): Promise<Response>;
  /** `POST /sign-in`: writes a new link where the service runs. */
  sendLink(request: Request, exchange: RequestContext): Promise<Response>;
  /** What somebody sees who isn't signed in. */
  ask(request: Request): Response;
  /** A page that loads the same address again, so that the browser sends its cookie. */
  reload(request: Request): Response;
}

const LINKS_PER_MINUTE = 5;

export function createSignIn(core: Core): SignIn {
  const headers = appHeaders(core.addresses.pagesUrl);
  const limiter = createRateLimiter({ perKey: LINKS_PER_MINUTE, perAddress: LINKS_PER_MINUTE, windowSeconds: 60 });

  function ask(request: Request): Response {
    const { pathname, search } = new URL(request.url);
    const next = request.method === "GET" && pathname !== "/sign-in" ? `${pathname}${search}` : "/";
    return renderBare(<AskPage next={next} />, { status: 401, headers, title: "Sign in" });
  }

  return {
    ask,
    reload(request) {
      const { pathname, search } = new URL(request.url);
      const goTo = localPath(`${pathname}${search}`);
      return renderBare(<p>One moment…</p>, { status: 200, headers, title: "Imprint", goTo });
    },
    async show(request) {
      const { searchParams } = new URL(request.url);
      const token = searchParams.get("token");
      const next = localPath(searchParams.get("next"));
      if (token === null) return renderBare(<AskPage next={next} />, { status: 200, headers, title: "Sign in" });
      // A browser that only looks ahead must not redeem the link, nor a program that checks where a link leads.
      if (request.method === "HEAD" || /prefetch|prerender/i.test(request.headers.get("Sec-Purpose") ?? "")) {
        return new Response(null, { status: 503, headers: { "Cache-Control": "no-store" } });
      }
      const cookie = await redeemSignInLink(core.contextOf(core.account.id), token);
      if (cookie === undefined) {
        return renderBare(<UsedPage next={next} />, { status: 410, headers, title: "This link has expired" });
      }
      // A redirect would still count as sent by the site with the link, and the browser would withhold a strict cookie.
      return renderBare(<p>You are signed in.</p>, {
        status: 200,
        headers: { ...headers, "Set-Cookie": cookie },
        title: "Signed in",
        goTo: next,
      });
    },
    async sendLink(request, exchange) {
      if (!isFromOwnPage(request, core.addresses.appUrl)) throw new ProblemError("no_such_route");
      limiter.count({ kind: "address", id: addressOf(request, exchange, core.settings) }, core.now());
      const limit = { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" } as const;
      const fields = new URLSearchParams(Buffer.from(await readBody(request, limit)).toString("utf8"));
      const next = localPath(fields.get("next"));
      const { url } = await createSignInLink(core.contextOf(core.account.id));
      const link = next === "/" ? url : `${url}&next=${encodeURIComponent(next)}`;
      core.settings.logger.info(`Sign in to the dashboard, once, within 15 minutes: ${link}`);
      return renderBare(<SentPage />, { status: 200, headers, title: "Link created" });
    },
  };
}

/** A path of this service; anything else leads to the overview. */
function localPath(value: string | null): string {
  return value !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : "/";
}

function AskPage({ next }: { readonly next: string }) {
  return (
    <>
      <h1>Sign in</h1>
      <p>
        An Imprint service runs here. You sign in to its dashboard by a one-time link: the service shows one when it
        starts, and <code>imprint dashboard</code> creates another.
      </p>
      <LinkForm next={next} />
    </>
  );
}

function UsedPage({ next }: { readonly next: string }) {
  return (
    <>
      <h1>This link has expired</h1>
      <p>A sign-in link works once and is valid for 15 minutes.</p>
      <LinkForm next={next} />
    </>
  );
}

function LinkForm({ next }: { readonly next: string }) {
  return (
    <form method="post" action="/sign-in">
      <input type="hidden" name="next" value={next} />
      <button type="submit">Show a new link where the service runs</button>
    </form>
  );
}

function SentPage() {
  return (
    <>
      <h1>Link created</h1>
      <p>It was written to the terminal, or the log, of the service. It works once and is valid for 15 minutes.</p>
    </>
  );
}
