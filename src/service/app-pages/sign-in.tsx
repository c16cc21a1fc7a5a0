import { createHash } from "node:crypto";
import type { Child } from "hono/jsx";
import { findLetterhead } from "../look/letterhead.ts";
import { audit } from "../resources/audit.ts";
import { inTransaction, type Context } from "../resources/context.ts";
import { queueMail } from "../resources/mails.ts";
import { findRow } from "../store/rows.ts";
import { hasEmails } from "../store/users.ts";
import {
  createSignInLink,
  endSession,
  findPerson,
  findSessionOf,
  isFromOwnPage,
  isSignInLink,
  redeemSignInLink,
} from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { ProblemError } from "../http/problem.ts";
import { acceptsJson, addressOf, readBody } from "../http/messages.ts";
import { appHeaders, renderBare, type BarePage } from "./bare-page.tsx";

const LINKS_PER_MINUTE = 5;

/** Creates the sign-in pages of the dashboard. */
export function createSignIn(core: Core) {
  const headers = appHeaders(core.addresses.pagesUrl);
  const limiter = createRateLimiter({ perKey: LINKS_PER_MINUTE, perAddress: LINKS_PER_MINUTE, windowSeconds: 60 });

  /** Responds with a form to request a sign-in link. */
  async function offerLink(next: string, status: 200 | 401 | 410, refused?: RefusedForm): Promise<Response> {
    const asksWho = await hasEmails(core.store.database, core.account.id);
    const title = status === 410 ? "This link no longer works" : "Sign in";
    const main = (
      <>
        <h1>{title}</h1>
        {refused !== undefined && <Refusal fields={refused.fields} />}
        <p>{status === 410 ? ENDED : <Explanation />}</p>
        <form method="post" action="/sign-in" target={refused?.fields === undefined ? undefined : "_blank"}>
          <input type="hidden" name="next" value={next} />
          {asksWho && <EmailField />}
          <button type="submit">
            {asksWho && core.settings.mail !== undefined
              ? "Get a new link"
              : "Show a new link in the service’s terminal"}
          </button>
        </form>
        {refused?.fields !== undefined && <SendAgain path={refused.path} fields={refused.fields} />}
      </>
    );
    return await renderBranded(core, main, { status, title });
  }

  return {
    /** Responds to a request for a page that requires signing in. */
    async ask(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      if (request.method === "GET") return await offerLink(pathname === "/sign-in" ? "/" : `${pathname}${search}`, 401);
      return await offerLink(formPathOf(request, core.addresses.appUrl), 401, await readRefused(core, request));
    },

    /** Responds with a page that reloads the same URL, so that the browser sends its cookie. */
    reload(request: Request): Response {
      const { pathname, search } = new URL(request.url);
      const goTo = localPath(`${pathname}${search}`);
      return renderBare(<p>One moment…</p>, { status: 200, headers, title: "Imprint", goTo });
    },

    /** `GET /sign-in`: asks for confirmation before redeeming a link, since mail scanners open links, too. */
    async show(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url);
      const token = searchParams.get("token");
      const next = localPath(searchParams.get("next"));
      if (token === null) return await offerLink(next, 200);
      if (!(await isSignInLink(core.contextOf(core.account.id), token))) return await offerLink(next, 410);
      return await renderBranded(core, <Confirmation token={token} next={next} />, { status: 200, title: "Sign in" });
    },

    /** `POST /sign-in`: redeems a link's token, or sends or logs a new link. */
    async receive(request: Request, context: RequestContext): Promise<Response> {
      if (!isFromOwnPage(request, core.addresses.appUrl)) throw new ProblemError("no_such_route");
      const limit = { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" } as const;
      const fields = new URLSearchParams(Buffer.from(await readBody(request, limit)).toString("utf8"));
      const [token, next] = [fields.get("token"), localPath(fields.get("next"))];
      const address = addressOf(request, context, core.settings);
      if (token !== null) {
        const records = core.contextOf(core.account.id);
        const cookie = await inTransaction(records, (scope) => replaceSession(scope, { token, address, request }));
        if (cookie !== undefined) {
          return new Response(null, { status: 303, headers: { ...headers, Location: next, "Set-Cookie": cookie } });
        }
        limiter.count({ kind: "address", id: address }, core.now());
        await audit(records, { action: "sign-in.failed", detail: "The link was used, expired or unknown.", address });
        return await offerLink(next, 410);
      }
      limiter.count({ kind: "address", id: address }, core.now());
      const email = (fields.get("email") ?? "").trim().toLowerCase();
      await writeLink(core, { email, next, address });
      const main = <Written email={email} isMailed={core.settings.mail !== undefined} />;
      return await renderBranded(core, main, { status: 200, title: "Link created" });
    },
  };
}

function Confirmation({ token, next }: { readonly token: string; readonly next: string }) {
  return (
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
}

/** A form that was sent without a session. */
interface RefusedForm {
  readonly path: string;
  /** What it holds, to be sent again; `undefined` if it is too large, or may hold files. */
  readonly fields: readonly (readonly [name: string, value: string])[] | undefined;
}

function Refusal({ fields }: Pick<RefusedForm, "fields">) {
  return (
    <p class="warning" role="alert">
      {fields === undefined ? LOST : KEPT}
    </p>
  );
}

function SendAgain({ path, fields }: RefusedForm) {
  return (
    <form method="post" action={path}>
      {fields?.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <p>
        <button type="submit" class="quiet">
          Send again
        </button>
      </p>
    </form>
  );
}

/** Reads a form to be sent again, by the same user if a session shows who that was; `undefined` for an empty form. */
async function readRefused(core: Core, request: Request): Promise<RefusedForm | undefined> {
  // The editor keeps what it sends.
  if (acceptsJson(request)) return undefined;
  const { pathname: path, search } = new URL(request.url);
  const type = request.headers.get("Content-Type") ?? "";
  const text = type.startsWith("multipart/form-data") ? undefined : await readSmallBody(core, request);
  if (text === undefined) return { path, fields: undefined };
  const sent = new URLSearchParams(text);
  if (sent.size === 0) return undefined;
  const session = await findSessionOf({ database: core.store.database, addresses: core.addresses }, request);
  if (session !== undefined && !sent.has("writer")) sent.set("writer", session.userId);
  return { path: localPath(`${path}${search}`), fields: [...sent] };
}

// A list sends two fields for each of at most 500 selected entries.
const MAX_FIELDS = 2000;

/** Reads a form; `undefined` if it is large, as anyone may send it. */
async function readSmallBody({ settings }: Core, request: Request): Promise<string | undefined> {
  const limit = { maxBytes: settings.limits.maxFormBytes, code: "body_too_large" } as const;
  try {
    const text = Buffer.from(await readBody(request, limit)).toString("utf8");
    return text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS ? undefined : text;
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}

/** Returns the path of the page whose form was sent, if it is one of ours. */
function formPathOf(request: Request, appUrl: string): string {
  const form = URL.parse(request.headers.get("Referer") ?? "");
  return form?.origin === new URL(appUrl).origin ? localPath(`${form.pathname}${form.search}`) : "/";
}

/** Redeems a link and ends the browser's previous session. */
async function replaceSession(
  context: Context,
  { request, ...link }: { readonly token: string; readonly address: string; readonly request: Request },
): Promise<string | undefined> {
  const former = await findPerson(context, request);
  const userAgent = request.headers.get("User-Agent") ?? "";
  const cookie = await redeemSignInLink(context, { ...link, userAgent });
  if (cookie !== undefined && former !== undefined) await endSession(context, former);
  return cookie;
}

/** Renders a page in the style of the newest site. */
async function renderBranded(core: Core, main: Child, page: Pick<BarePage, "title" | "status">): Promise<Response> {
  const { store, account, addresses } = core;
  const records = { database: store.database, accountId: account.id, addresses };
  const brand = await findLetterhead(records, { kind: "host" });
  if (brand === undefined) return renderBare(main, { ...page, headers: appHeaders(addresses.pagesUrl) });
  const hash = createHash("sha256").update(brand.style).digest("base64");
  return renderBare(main, { ...page, headers: appHeaders(addresses.pagesUrl, `sha256-${hash}`), brand });
}

const KEPT =
  "You were signed out, so nothing was saved. This page keeps what you entered: sign in in another tab, then press Send again below.";
const LOST = "You were signed out, so nothing was saved. Sign in, then fill in the form and choose its files again.";
const ENDED = "A link works once: that of an invitation within 7 days, any other within 10 minutes.";
const VALIDITY = "A sign-in link works once and is valid for 10 minutes.";

/** Sends or logs a link for a user, by default for the first owner. */
async function writeLink(
  core: Core,
  { email, next, address }: { readonly email: string; readonly next: string; readonly address: string },
): Promise<void> {
  const context = core.contextOf(core.account.id);
  const { database, accountId } = context;
  const user = email === "" ? undefined : await findRow(database, "accountUser", { accountId, email });
  if (email !== "" && user === undefined) {
    const detail = "No user has this address.";
    await audit(context, { action: "sign-in.failed", subject: email.slice(0, 254), detail, address });
    return;
  }
  if (user !== undefined && context.wakeMailer !== undefined) {
    await queueMail(context, { kind: "sign-in", userId: user.id, subjectId: next === "/" ? null : next });
    return;
  }
  const { url } = await createSignInLink(context, { userId: user?.id });
  const link = next === "/" ? url : `${url}&next=${encodeURIComponent(next)}`;
  const whom = email === "" ? "" : ` as ${email}`;
  core.settings.logger.info(`One-time link to sign in to the dashboard${whom} (valid for 10 minutes): ${link}`);
}

/** The same page whether the user exists or not. */
function Written({ email, isMailed }: { readonly email: string; readonly isMailed: boolean }) {
  return (
    <>
      <h1>Link created</h1>
      <p>
        {email === "" ? "The link was " : `If ${email} belongs to a user, the link was `}
        {email !== "" && isMailed ? "sent there. " : "written to the service’s terminal or log. "}
        {VALIDITY}
      </p>
    </>
  );
}

function EmailField() {
  return (
    <div class="field">
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="email" aria-describedby="email-hint" />
      <p class="hint" id="email-hint">
        Leave empty to show a link for the owner in the service’s terminal.
      </p>
    </div>
  );
}

function Explanation() {
  return (
    <>
      An Imprint service runs here. Sign in to its dashboard with a one-time link: the service shows one at startup, and{" "}
      <code>imprint dashboard</code> creates another.
    </>
  );
}

/** Returns a path on this service; defaults to the overview. */
function localPath(value: string | null): string {
  return value !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : "/";
}
