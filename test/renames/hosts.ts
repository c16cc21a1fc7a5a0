// The hosts of histories: our own service in several modes, and the independent hosts of test/strangers.

import { decodeHTML } from "entities";
import { startService, type Quirks } from "../../src/service.ts";
import type { Dialect } from "../strangers/dialect.ts";
import { DIALECTS } from "../strangers/dialects.ts";
import { API_KEY, startStranger } from "../strangers/host.ts";

/** A post on the host. */
export interface HostPost {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly html: string;
  /** Whether readers see it. */
  readonly isVisible: boolean;
}

export interface RunningHost {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Every post of every blog. */
  read(): Promise<readonly HostPost[]>;
  createBlog(slug: string): Promise<string>;
  /** Creates a post in the dashboard. */
  writeByHand(blogId: string, post: Pick<HostPost, "slug" | "title" | "html">): Promise<void>;
  close(): Promise<void>;
}

export interface Host {
  readonly name: string;
  readonly routeSet: "a" | "b";
  /** Whether the host can change posts. */
  readonly canUpdate: boolean;
  /** Whether a program that lost its memory can recognize the posts that it published. */
  readonly showsMarkers: boolean;
  /** Number of concurrent histories: many on a host where publishers wait a minute for a post that is never listed. */
  readonly atOnce: number;
  start(): Promise<RunningHost>;
}

interface OwnForm {
  readonly strict?: boolean;
  readonly quirks?: Partial<Quirks>;
}

const TWICE: Partial<Quirks> = { repeatedPost: "duplicate", idempotencyKeys: "ignored" };
const CLEANED: Partial<Quirks> = { postHtml: "cleaned" };

export const HOSTS: readonly Host[] = [
  own("own A full", "a"),
  own("own B full", "b"),
  own("own A full, duplicates accepted", "a", { quirks: TWICE }),
  own("own A full, marker removed", "a", { quirks: CLEANED }),
  own("own A strict", "a", { strict: true }),
  own("own B strict", "b", { strict: true }),
  own("own A strict, duplicates accepted", "a", { strict: true, quirks: TWICE }),
  own("own B strict, duplicates accepted", "b", { strict: true, quirks: TWICE }),
  own("own A strict, duplicates accepted, marker removed", "a", { strict: true, quirks: { ...TWICE, ...CLEANED } }),
  stranger("A plain, only /edit/"),
  stranger("A keys replay for 24 hours, posts refuse duplicates"),
  stranger("A html never shown, minimal lists, numeric ids, checks tags"),
  stranger("A cursor lists of 20, full account"),
  stranger("B plain"),
  stranger("B keys replay for 24 hours and say so, posts from title"),
  stranger("B raw refused, tidied html, few fields"),
  stranger("B page-number lists of 20, full account"),
];

function own(name: string, routeSet: "a" | "b", { strict = false, quirks = {} }: OwnForm = {}): Host {
  return {
    ...{ name, routeSet, canUpdate: !strict, showsMarkers: quirks.postHtml !== "cleaned", atOnce: 2 },
    async start() {
      const form = { ephemeral: true, port: 0, pagesPort: 0, background: false, analytics: false } as const;
      const service = await startService({ ...form, strict, quirks });
      const { apiKey } = service;
      const api = createApi(service.baseUrl("a"), apiKey);
      const read = createReader(api, strict);
      return {
        ...{ baseUrl: service.baseUrl(routeSet), apiKey, read },
        createBlog: async (slug) => textIn(await api.send("/api/blogs", { name: "Journal", slug }), "id"),
        writeByHand: async (blogId, post) => void (await api.send(`/api/blogs/${blogId}/posts`, post)),
        close: () => service.close(),
      };
    },
  };
}

interface Api {
  /** All records of a list. */
  list(path: string): Promise<readonly unknown[]>;
  send(path: string, body: unknown): Promise<unknown>;
}

function createApi(baseUrl: string, apiKey: string): Api {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(baseUrl + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return await response.json();
  }
  return {
    async list(path) {
      const data: unknown = Reflect.get(Object(await ask(path)), "data");
      if (!Array.isArray(data) || data.length >= 100) throw new Error(`${path} is no list of less than 100 records.`);
      return data;
    },
    send: (path, body) => ask(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

// The strict service returns no text in its lists, but readers get it. Posts can't be changed there, so each is read
// once, when it is the newest with its slug.
function createReader(api: Api, isStrict: boolean): RunningHost["read"] {
  const pages = new Map<string, string | undefined>();
  async function readPage(record: unknown): Promise<string | undefined> {
    const key = ["id", "url", "status", "updatedAt", "contentHash"].map((name) => textIn(record, name)).join(" ");
    if (pages.has(key)) return pages.get(key);
    const response = await fetch(textIn(record, "url"));
    const html = response.ok ? await response.text() : undefined;
    pages.set(key, html);
    return html;
  }
  return async () => {
    const query = isStrict ? "?limit=100" : "?limit=100&include=content";
    const blogs = await api.list("/api/blogs?limit=100");
    const lists = await Promise.all(blogs.map((blog) => api.list(`/api/blogs/${textIn(blog, "id")}/posts${query}`)));
    return await Promise.all(
      lists.flat().map(async (record): Promise<HostPost> => {
        const page = await readPage(record);
        return {
          ...{ id: textIn(record, "id"), slug: textIn(record, "slug"), title: textIn(record, "title") },
          html: isStrict ? (page ?? "") : textIn(record, "html"),
          isVisible: page !== undefined,
        };
      }),
    );
  };
}

function stranger(name: string): Host {
  const dialect = DIALECTS.find((dialect) => dialect.name === name);
  if (dialect === undefined) throw new Error(`There is no stranger "${name}".`);
  return {
    name: `stranger ${name}`,
    routeSet: dialect.routeSet,
    canUpdate: false,
    showsMarkers: dialect.posts.lists === "all",
    atOnce: dialect.posts.slugs === "from-title" ? 30 : 2,
    start: () => startForeign(dialect),
  };
}

async function startForeign(dialect: Dialect): Promise<RunningHost> {
  const { baseUrl, world, close } = await startStranger(dialect);
  const api = createApi(baseUrl, API_KEY);
  return {
    ...{ baseUrl, apiKey: API_KEY, close },
    read: async () =>
      [...world.posts.values()].flat().map(({ id, slug, title, html }) => ({ id, slug, title, html, isVisible: true })),
    createBlog: async (slug) =>
      String(Reflect.get(Object(await api.send("/api/blogs", { [dialect.posts.blogName]: "Journal", slug })), "id")),
    async writeByHand(blogId, { slug, title, html }) {
      await api.send(`/api/blogs/${blogId}/posts`, { slug, title, [dialect.posts.body]: html });
    },
  };
}

function textIn(record: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(record), name);
  return typeof value === "string" ? value : "";
}

/** Reduces a text to its letters and digits, so that Markdown and a host's HTML can be compared. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** Reduces the visible text of HTML to its letters and digits. */
export function lettersOfHtml(html: string): string {
  const visible = html.replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, "").replace(/<[^>]*>/g, " ");
  return lettersOf(decodeHTML(visible));
}
