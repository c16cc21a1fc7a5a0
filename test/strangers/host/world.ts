import { randomBytes } from "node:crypto";
import type { Dialect } from "../dialect.ts";
import { createClock, type PassingClock } from "../../passing-clock.ts";

export interface PageRecord {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** The HTML for visitors. */
  readonly html: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly writes: number;
  readonly visibleFrom: number;
  /** A file of the library that somebody chose for social networks. */
  readonly ogImage?: string;
  /** The site that a person moved it to; from then on the record shows it, and a request may change it. */
  readonly siteId?: unknown;
  /** How a person restricted who sees it, as the record shows it. A PUT, which replaces the page, clears that. */
  readonly restricted?: Readonly<Record<string, unknown>>;
  /** Status of a trashed page in the list, and its response to everybody. */
  readonly trashed?: {
    readonly status: string;
    readonly answers: 404 | 410;
    /** Set if requests for the page show that beside it. */
    readonly deletedAt?: string;
  };
  /** The HTML for visitors until then. */
  readonly before?: { readonly html: string; readonly title: string; readonly untilMs: number };
}

export interface PostRecord {
  /** Whether visitors don't see it until somebody publishes it. */
  isDraft?: boolean;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly html: string;
  readonly createdAt: string;
  readonly sent: Readonly<Record<string, unknown>>;
  /** What its list shows once somebody moved it to the trash. */
  readonly trashed?: { readonly status?: string; readonly deletedAt: string };
}

export interface AssetRecord {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly createdAt: string;
  /** When somebody moved it to the trash; readers then get 404. */
  readonly deletedAt?: string;
  /** What uses it, as the list of some libraries shows. */
  readonly usedBy?: readonly string[];
}

/** A site, a blog, a brand kit or a domain: the sent fields with an ID. */
export interface OtherRecord {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ifMatch: string | null;
  /** The error that the client gets, for reports of the harness. */
  readonly words: string | undefined;
}

/** The whole state of a host, in memory. */
export interface World extends PassingClock {
  readonly pages: Map<string, PageRecord>;
  /** What lists show of pages, if they come from a cache. */
  cachedPages?: readonly PageRecord[];
  isParked?: boolean;
  /** Changes pages and posts for visitors. */
  deliver?: (html: string) => string;
  readonly assets: Map<string, AssetRecord>;
  readonly sites: Map<string, OtherRecord>;
  readonly blogs: Map<string, OtherRecord>;
  readonly posts: Map<string, PostRecord[]>;
  readonly brandKits: Map<string, OtherRecord>;
  readonly domains: Map<string, OtherRecord>;
  readonly log: LoggedRequest[];
  /** HTML of deleted pages that visitors still get, by slug. */
  readonly copies: Map<string, string>;
  readonly addresses: { api: string; pages: string };
  newId(kind: string): string;
}

export function createWorld(dialect: Dialect): World {
  let last = 1000;
  return {
    pages: new Map(),
    assets: new Map(),
    sites: new Map(),
    blogs: new Map(),
    posts: new Map(),
    brandKits: new Map(),
    domains: new Map(),
    log: [],
    copies: new Map(),
    addresses: { api: "", pages: "" },
    newId(kind) {
      last += 1;
      // The specification defines the form of page IDs in route set B, so even a host with numeric IDs uses it.
      if (dialect.ids === "numbers") return kind === "pg" && dialect.routeSet === "b" ? `pg_${last}` : String(last);
      if (dialect.ids === "lettered") return `x${last}`;
      return `${kind}_${randomBytes(6).toString("hex")}`;
    },
    ...createClock(),
  };
}

/**
 * Converts an ID for the wire: a number on hosts with numeric IDs, except for pages, whose IDs are specified as text.
 */
export function shownId(dialect: Dialect, id: string): string | number {
  return dialect.ids === "numbers" ? Number(id) : id;
}

export function publicPageUrl(dialect: Dialect, { addresses }: World, slug: string): string {
  return addresses.pages + dialect.pages.shownAt.replace("{slug}", encodeURIComponent(slug));
}
