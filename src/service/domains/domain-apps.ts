import type { Hono } from "hono";
import type { Core } from "../core.ts";
import type { Exchange, ServiceEnv } from "../exchange.ts";
import type { Destination } from "../host.ts";
import type { Outcome } from "../http/answer.ts";
import type { HttpRequest } from "../http/request.ts";

/** The host of the pages: what visitors read most, and everything else. */
export interface PagesParts {
  find(path: string): Destination["serve"];
  readonly app: Hono<ServiceEnv>;
}

/** A request to the host of the pages as it is under a custom domain. */
export interface InnerRequest {
  /** Scheme and host of the domain. */
  readonly origin: string;
  /** The path on the host of the pages. */
  readonly path: string;
  readonly asked: HttpRequest;
  /** What was asked, where it has a body. */
  readonly sent: Request | undefined;
  readonly exchange: Exchange;
}

/** The host of the pages as it is under each custom domain. */
export interface DomainApps {
  fetch(request: InnerRequest): Promise<Outcome>;
}

const MAX_APPS = 200;

export function createDomainApps(core: Core, createParts: (core: Core) => PagesParts): DomainApps {
  const known = new Map<string, PagesParts>();

  function partsOf(origin: string): PagesParts {
    const found = known.get(origin);
    if (found !== undefined) return found;
    if (known.size >= MAX_APPS) known.clear();
    const { appUrl, pagesUrl } = core.addresses;
    const parts = createParts({ ...core, addresses: { appUrl, pagesUrl: origin, libraryUrl: pagesUrl } });
    known.set(origin, parts);
    return parts;
  }

  return {
    async fetch({ origin, path, asked, sent, exchange }) {
      const { app, find } = partsOf(origin);
      const { method, query } = asked;
      const serve = sent === undefined ? find(path) : undefined;
      if (serve !== undefined) return await serve({ ...asked, path }, exchange);
      const url = `${origin}${path}${query === "" ? "" : `?${query}`}`;
      if (sent === undefined) return await app.fetch(new Request(url, { method }), exchange);
      const { headers, body } = sent;
      return await app.fetch(new Request(url, { method, headers, body, duplex: "half" }), exchange);
    },
  };
}
