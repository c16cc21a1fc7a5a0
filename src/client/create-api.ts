import type { ImprintApi } from "./api.ts";
import { createAssets } from "./resources/assets.ts";
import { createBlogs, createPosts } from "./resources/blogs.ts";
import { createBrandKits } from "./resources/brand-kits.ts";
import { createPages } from "./resources/pages.ts";
import { createSites } from "./resources/sites.ts";
import { createRouteSetA } from "./route-set-a.ts";
import { createRouteSetB } from "./route-set-b.ts";
import { createSession } from "./session.ts";
import type { SessionSources } from "./session.ts";

/** Puts the typed methods over one way to the service. */
export function createApi(sources: SessionSources): ImprintApi {
  const session = createSession(sources);
  const calls = session.routeSet === "a" ? createRouteSetA(session) : createRouteSetB(session);
  return {
    baseUrl: session.baseUrl,
    // Where pages are published may be learned on the way.
    get capabilities() {
      return session.capabilities();
    },
    pages: createPages(session, calls),
    sites: createSites(session, calls),
    assets: createAssets(session, calls),
    blogs: createBlogs(session),
    posts: createPosts(session),
    brandKits: createBrandKits(session),
    close: () => session.close(),
  };
}
