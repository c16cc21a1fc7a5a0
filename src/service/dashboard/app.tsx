import { Hono } from "hono";
import { DESK_STYLE, findDeskScript, SCRIPT, STYLE } from "../app-pages/bare-page.tsx";
import { createSignIn } from "../app-pages/sign-in.tsx";
import { endSession, findPerson, isFromOwnPage, mayHoldBackCookie } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import { audit } from "../resources/audit.ts";
import { addressOf } from "../http/messages.ts";
import { recordOwnPlace } from "../resources/beacon.ts";
import { settleAll } from "../resources/settle.ts";
import { logProblem } from "../store/as-problem.ts";
import { checkRight, type DashboardApp, type DashboardEnv } from "./context.ts";
import { registerAnalyticsPages } from "./pages/analytics.tsx";
import { registerAuditPages } from "./pages/audit.tsx";
import { registerBlogPages } from "./pages/blogs.tsx";
import { registerBrandKitPages } from "./pages/brand-kits.tsx";
import { registerClientPages } from "./pages/clients.tsx";
import { registerDomainPages } from "./pages/domains.tsx";
import { registerFilePages } from "./pages/files.tsx";
import { registerFormPages } from "./pages/forms.tsx";
import { registerKeyPages } from "./pages/keys.tsx";
import { registerLibraryPages } from "./pages/library.tsx";
import { registerOverview } from "./pages/overview.tsx";
import { registerPagePages } from "./pages/pages.tsx";
import { registerPeoplePages } from "./pages/people.tsx";
import { registerPostPages } from "./pages/posts.tsx";
import { registerReleasePages } from "./pages/releases.tsx";
import { registerRequestPages } from "./pages/requests.tsx";
import { registerSearchPages } from "./pages/search.tsx";
import { registerSettings } from "./pages/settings.tsx";
import { registerSitePages } from "./pages/sites.tsx";
import { registerWebhookPages } from "./pages/webhooks.tsx";
import { explain } from "./parts/explain.tsx";

const PAGES: readonly ((app: DashboardApp) => void)[] = [
  registerOverview,
  registerPagePages,
  registerSitePages,
  registerReleasePages,
  registerLibraryPages,
  registerBlogPages,
  registerPostPages,
  registerFilePages,
  registerBrandKitPages,
  registerAnalyticsPages,
  registerFormPages,
  registerDomainPages,
  registerPeoplePages,
  registerKeyPages,
  registerClientPages,
  registerWebhookPages,
  registerRequestPages,
  registerAuditPages,
  registerSearchPages,
  registerSettings,
];

// Pages that neither list nor count pages don't wait for releases to be settled, see `settleAll`.
const WITHOUT_PAGES = /^\/(?:audit|clients|keys|people|requests|settings|sign-out|webhooks)(?:\/|$)|\/thumbnail-\d+$/;

export function createDashboard(core: Core): (request: Request, context: RequestContext) => Promise<Response> {
  const signIn = createSignIn(core);
  const app: DashboardApp = new Hono<DashboardEnv>();
  app.get("/_dashboard/:file", ({ req }) => {
    const known = [STYLE, SCRIPT, DESK_STYLE];
    const asset = known.find(({ path }) => path === req.path) ?? findDeskScript();
    if (asset.path !== req.path) throw new ProblemError("page_not_found");
    const headers = { "Content-Type": asset.contentType, "Cache-Control": "public, max-age=31536000, immutable" };
    return new Response(asset.content, { headers });
  });
  app.get("/sign-in", (context) => signIn.show(context.req.raw));
  app.post("/sign-in", (context) => signIn.receive(context.req.raw, context.env));
  app.use(async (context, next) => {
    const request = context.req.raw;
    if (!["GET", "HEAD"].includes(request.method) && !isFromOwnPage(request, core.addresses.appUrl)) {
      throw new ProblemError("insufficient_scope", {
        detail: "This request didn’t come from a page of the dashboard.",
      });
    }
    const person = await findPerson(
      { database: core.store.database, now: core.now(), addresses: core.addresses },
      request,
    );
    if (person === undefined) return mayHoldBackCookie(request) ? signIn.reload(request) : await signIn.ask(request);
    const userAgent = request.headers.get("User-Agent") ?? "";
    const address = addressOf(request, context.env, core.settings);
    const records = { ...core.contextOf(person.accountId), requestId: context.env.requestId, actor: person };
    await recordOwnPlace(records, person, { address, userAgent });
    context.set("core", core);
    context.set("person", person);
    context.set("records", records);
    checkRight(context, ["GET", "HEAD"].includes(request.method) ? "reads" : "writes");
    if (!WITHOUT_PAGES.test(new URL(request.url).pathname)) await settleAll(context.var.records);
    await next();
    return undefined;
  });
  app.post("/sign-out", async (context) => {
    const { records, person } = context.var;
    await audit(records, { action: "sign-out" });
    context.header("Set-Cookie", await endSession(records, person));
    return context.redirect("/sign-in", 303);
  });
  for (const register of PAGES) register(app);
  app.notFound((context) => explain(context, new ProblemError("page_not_found")));
  app.onError((error, context) => {
    // The host handles errors for visitors who aren't signed in.
    if (context.get("person") === undefined) throw error;
    const problem = logProblem(error, context.env.requestId, core.settings.logger);
    context.env.addFacts({ problem: problem.code });
    return explain(context, problem);
  });
  return async (request, context) => await app.fetch(request, context);
}
