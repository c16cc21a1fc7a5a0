import { createSignInLink, isFromOwnPage, isSignInLink, redeemSignInLink } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { ProblemError } from "../http/problem.ts";
import { addressOf, readBody } from "../http/request.ts";
import { appHeaders, renderBare } from "./bare-page.tsx";

const LINKS_PER_MINUTE = 5;

/** Signing in to the dashboard: the pages that somebody sees who isn't signed in. */
export function createSignIn(core: Core) {
  const headers = appHeaders(core.addresses.pagesUrl);
  const limiter = createRateLimiter({ perKey: LINKS_PER_MINUTE, perAddress: LINKS_PER_MINUTE, windowSeconds: 60 });

  /** Answers with the form that creates a link. */
  function offerLink(next: string, status: 200 | 401 | 410): Response {
    const title = status === 410 ? "This link has expired" : "Sign in";
    const main = (
      <>
        <h1>{title}</h1>
        <p>{status === 410 ? VALIDITY : <Explanation />}</p>
        <form method="post" action="/sign-in">
          <input type="hidden" name="next" value={next} />
          <button type="submit">Show a new link where the service runs</button>
        </form>
      </>
    );
    return renderBare(main, { status, headers, title });
  }

  return {
    /** What somebody sees who isn't signed in. */
    ask(request: Request): Response {
      const { pathname, search } = new URL(request.url);
      return offerLink(request.method === "GET" && pathname !== "/sign-in" ? `${pathname}${search}` : "/", 401);
    },

    /** A page that loads the same address again, so that the browser sends its cookie. */
    reload(request: Request): Response {
      const { pathname, search } = new URL(request.url);
      const goTo = localPath(`${pathname}${search}`);
      return renderBare(<p>One moment…</p>, { status: 200, headers, title: "Imprint", goTo });
    },

    /** `GET /sign-in`: asks before a link is used up, since programs that check mail open links too. */
    async show(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url);
      const token = searchParams.get("token");
      const next = localPath(searchParams.get("next"));
      if (token === null) return offerLink(next, 200);
      if (!(await isSignInLink(core.contextOf(core.account.id), token))) return offerLink(next, 410);
      const main = (
        <>
          <h1>Sign in</h1>
          <p>This link signs this browser in to the dashboard.</p>
          <form method="post" action="/sign-in">
            <input type="hidden" name="token" value={token} />
            <input type="hidden" name="next" value={next} />
            <button type="submit" autofocus>
              Sign in
            </button>
          </form>
        </>
      );
      return renderBare(main, { status: 200, headers, title: "Sign in" });
    },

    /** `POST /sign-in`: redeems a link's token, or writes a new link where the service runs. */
    async receive(request: Request, context: RequestContext): Promise<Response> {
      if (!isFromOwnPage(request, core.addresses.appUrl)) throw new ProblemError("no_such_route");
      const limit = { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" } as const;
      const fields = new URLSearchParams(Buffer.from(await readBody(request, limit)).toString("utf8"));
      const [token, next] = [fields.get("token"), localPath(fields.get("next"))];
      if (token !== null) {
        const cookie = await redeemSignInLink(core.contextOf(core.account.id), token);
        if (cookie === undefined) return offerLink(next, 410);
        return new Response(null, { status: 303, headers: { ...headers, Location: next, "Set-Cookie": cookie } });
      }
      limiter.count({ kind: "address", id: addressOf(request, context, core.settings) }, core.now());
      const { url } = await createSignInLink(core.contextOf(core.account.id));
      const link = next === "/" ? url : `${url}&next=${encodeURIComponent(next)}`;
      core.settings.logger.info(`Sign in to the dashboard, once, within 15 minutes: ${link}`);
      const main = (
        <>
          <h1>Link created</h1>
          <p>It was written to the terminal, or the log, of the service. {VALIDITY}</p>
        </>
      );
      return renderBare(main, { status: 200, headers, title: "Link created" });
    },
  };
}

const VALIDITY = "A sign-in link works once and is valid for 15 minutes.";

function Explanation() {
  return (
    <>
      An Imprint service runs here. You sign in to its dashboard by a one-time link: the service shows one when it
      starts, and <code>imprint dashboard</code> creates another.
    </>
  );
}

/** A path of this service; anything else leads to the overview. */
function localPath(value: string | null): string {
  return value !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : "/";
}
