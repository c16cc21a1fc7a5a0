import { Hono } from "hono";
import { endSession, findPerson, isFromOwnPage, mayHoldBackCookie } from "../auth/sessions.ts";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import { asProblem } from "../store/as-problem.ts";
import { SCRIPT, STYLE } from "./assets.ts";
import { explain } from "./parts/explain.tsx";
import { registerPages } from "./pages/all.ts";
import type { DashboardApp, DashboardEnv } from "./scene.ts";
import { createSignIn } from "./sign-in.tsx";

/** The dashboard as a function from request to answer. */
export function createDashboard(core: Core): (request: Request, exchange: RequestContext) => Promise<Response> {
  const signIn = createSignIn(core);
  const app: DashboardApp = new Hono<DashboardEnv>();
  for (const asset of [STYLE, SCRIPT]) {
    app.get(asset.path, () => {
      const headers = { "Content-Type": asset.contentType, "Cache-Control": "public, max-age=31536000, immutable" };
      return new Response(asset.content, { headers });
    });
  }
  app.get("/sign-in", (context) => signIn.show(context.req.raw));
  app.post("/sign-in", (context) => signIn.sendLink(context.req.raw, context.env));
  app.use(async (context, next) => {
    const request = context.req.raw;
    if (!["GET", "HEAD"].includes(request.method) && !isFromOwnPage(request, core.addresses.appUrl)) {
      throw new ProblemError("insufficient_scope", { detail: "This was not sent by a page of the dashboard." });
    }
    const person = await findPerson({ database: core.store.database, now: core.now() }, request);
    if (person === undefined) return mayHoldBackCookie(request) ? signIn.reload(request) : signIn.ask(request);
    const records = { ...core.contextOf(person.accountId), requestId: context.env.requestId };
    context.set("scene", { core, person, records });
    await next();
    return undefined;
  });
  app.post("/sign-out", async (context) => {
    const { records, person } = context.var.scene;
    context.header("Set-Cookie", await endSession(records, person));
    return context.redirect("/sign-in", 303);
  });
  registerPages(app);
  app.notFound((context) => explain(context.get("scene"), new ProblemError("page_not_found"), context.req.path));
  app.onError((error, context) => {
    const problem = asProblem(error);
    // What went wrong inside is told in the log by the host.
    if (problem.code === "internal" || context.get("scene") === undefined) throw error;
    return explain(context.var.scene, problem, context.req.path);
  });
  return async (request, exchange) => await app.fetch(request, exchange);
}
