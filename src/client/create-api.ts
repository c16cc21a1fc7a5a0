import type { ImprintApi } from "./api.ts";
import { parseSignInLink } from "./records/account-records.ts";
import { createDomains, createEvents, createKeys, createWebhooks, readAccount } from "./resources/account.ts";
import { createAssets } from "./resources/assets.ts";
import { createBlogs, createPosts } from "./resources/blogs.ts";
import { createBrandKits } from "./resources/brand-kits.ts";
import { createPages } from "./resources/pages.ts";
import { createRequest } from "./resources/request.ts";
import { createSites } from "./resources/sites.ts";
import { createAnalytics, createForms, createSubmissions } from "./resources/visitors.ts";
import { createRouteSetA } from "./route-set-a.ts";
import { createRouteSetB } from "./route-set-b.ts";
import { createSession, type SessionSources } from "./session.ts";
import { visitAddress } from "./without-key.ts";

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
    get dialect() {
      return session.dialect();
    },
    get concurrency() {
      return sources.transport.concurrency;
    },
    learn: (dialect) => session.learn(dialect, undefined),
    pages: createPages(session, calls),
    sites: createSites(session, calls),
    assets: createAssets(session, calls),
    blogs: createBlogs(session),
    posts: createPosts(session),
    brandKits: createBrandKits(session),
    forms: createForms(session),
    submissions: createSubmissions(session),
    analytics: createAnalytics(session),
    domains: createDomains(session),
    keys: createKeys(session),
    webhooks: createWebhooks(session),
    events: createEvents(session),
    request: createRequest(session),
    async createSignInLink({ signal } = {}) {
      const { json, context } = await session.call("signInLinks.create", { signal });
      return parseSignInLink(json, context);
    },
    readAccount: (options) => readAccount(session, options),
    readUsage: async (options) => (await readAccount(session, options))?.usage,
    visit: (address, options) => visitAddress(address, { logger: session.logger, signal: options?.signal }),
    close: () => session.close(),
  };
}
