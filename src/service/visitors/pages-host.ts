import { Hono } from "hono";
import type { Core } from "../core.ts";
import type { ServiceEnv } from "../exchange.ts";
import type { Host } from "../host.ts";
import { asProblem } from "../route-sets/problem-response.ts";
import { serveBlog, servePost } from "./blog.ts";
import { serveHome } from "./home.ts";
import { serveLibraryFile } from "./library-file.ts";
import { formsNotBuiltPage, methodNotAllowedPage, notFoundPage, problemPage } from "./plain-pages.ts";
import { servePage } from "./published-page.ts";

/** The host of published pages and library files. Its name differs from the API's: see docs/service-api.md, 5. */
export function createPagesHost(core: Core): Host {
  const app = createPagesApp(core);
  return {
    describe: () => ({ routeSet: undefined, operation: undefined }),
    headersOf: () => ({ "X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin" }),
    answer: (request, exchange) => app.fetch(request, exchange),
    fail(error, { requestId }) {
      const problem = asProblem(error);
      if (problem.code === "internal") {
        const reason = error instanceof Error ? error.message : "unknown";
        core.settings.logger.error(`Request ${requestId} failed: ${reason}`);
      }
      return problemPage(problem, requestId);
    },
  };
}

function createPagesApp(core: Core): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get("/", () => serveHome(core));
  app.get("/p/:slug", (context) => servePage(core, context.req.param("slug"), context.req.raw));
  app.get("/library/:assetId/:name", (context) =>
    serveLibraryFile(core, context.req.param("assetId"), context.req.raw),
  );
  app.get("/blog/:blog", (context) => serveBlog(core, context.req.param("blog"), context.req.raw));
  app.get("/blog/:blog/:post", (context) =>
    servePost(core, { blogSlug: context.req.param("blog"), slug: context.req.param("post") }),
  );
  app.post("/p/:slug", () => formsNotBuiltPage());
  app.notFound(({ req }) => (req.method === "GET" || req.method === "HEAD" ? notFoundPage() : methodNotAllowedPage()));
  app.onError((error) => {
    throw error;
  });
  return app;
}
