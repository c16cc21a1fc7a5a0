import type { ImprintApi } from "./api.ts";
import { parseSignInLink } from "./records/account-records.ts";
import { createDomains, createEvents, createKeys, createWebhooks, readAccount } from "./resources/account.ts";
import { createAssets } from "./resources/assets.ts";
import { createBlogs, createBrandKits, createPosts, createSites } from "./resources/content.ts";
import { createPages } from "./resources/pages.ts";
import { createRequest } from "./resources/request.ts";
import { createAnalytics, createForms, createSubmissions } from "./resources/visitors.ts";
import { createSession, type SessionSources } from "./session.ts";
import { visitAddress } from "./without-key.ts";

/** Puts the typed methods over one way to the service. */
export function createApi(sources: SessionSources): ImprintApi {
  const session = createSession(sources);
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
    pages: createPages(session),
    sites: createSites(session),
    assets: createAssets(session),
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
