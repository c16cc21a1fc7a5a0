import { randomUUID } from "node:crypto";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { Dialect } from "../dialect.ts";
import { isProcessing } from "./library.ts";
import { isSigned, withoutToken } from "./signature.ts";
import type { Answer } from "./wire.ts";
import { publicPageUrl, type PostRecord, type World } from "./world.ts";

export interface Visit {
  readonly dialect: Dialect;
  readonly world: World;
  readonly request: Request;
  /** A host with pages on a separate port serves files only beside the API. */
  readonly shows: "all" | "pages" | "files";
}

/** Returns what a visitor gets at an address of the host. */
export function showToVisitor({ dialect, world, request, shows: door }: Visit): Answer {
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" && request.method !== "HEAD") return notFound();
  if (path.startsWith("/files/") && door !== "pages") {
    const { library } = dialect;
    return isSigned(new URL(request.url), library.signs, world)
      ? showFile({ dialect, world, request }, withoutToken(path))
      : EXPIRED;
  }
  const isFormer = world.isParked === true && !request.url.startsWith(world.addresses.pages);
  if (isFormer) return { status: 200, text: "<!doctype html><title>Buy this domain</title>", headers: HTML };
  if (door === "files") return notFound();
  if (path.startsWith("/sheets/")) return showSheet(path);
  const { deliver = (text: string) => text } = world;
  if (path.startsWith("/blog/")) {
    const shown = showPost({ dialect, world }, path);
    return shown.text === undefined ? shown : { ...shown, text: deliver(shown.text) };
  }
  const { shows, headers, leadsOn, shownAt, formerlyAt, visitors } = dialect.pages;
  const former = formerlyAt === undefined || door === "pages" ? undefined : slugIn(formerlyAt, path);
  if (former !== undefined && world.pages.has(former)) {
    return { status: 301, text: "", headers: { location: publicPageUrl(dialect, world, former) } };
  }
  const isLed = leadsOn === "to-slash" && path.endsWith("/");
  const slug = slugIn(shownAt, isLed ? path.slice(0, -1) : path);
  const page = slug === undefined ? undefined : world.pages.get(slug);
  if (page?.trashed !== undefined) return { ...notFound(), status: page.trashed.answers };
  const copy = page === undefined ? world.copies.get(slug ?? "") : undefined;
  if (copy !== undefined) return { status: 200, text: copy, headers: HTML };
  if (page === undefined || page.visibleFrom > world.now().getTime()) return notFound();
  const isMember = (request.headers.get("cookie") ?? "").includes("member=");
  if (leadsOn === "to-slash" && !isLed) return { status: 301, text: "", headers: { location: `${path}/` } };
  if (visitors !== "all" && !isMember) {
    return { status: visitors === "by form" ? 200 : 401, text: SIGN_IN, headers: HTML };
  }
  const { before, html } = page;
  const isOld = before !== undefined && before.untilMs > world.now().getTime();
  return { status: 200, text: deliver(SHOWN[shows](isOld ? before.html : html)), headers: { ...HTML, ...headers } };
}

const SHOWN: Readonly<Record<Dialect["pages"]["shows"], (html: string) => string>> = {
  all: (html) => html,
  // As on many hosts, every visit gets different bytes.
  "statistics-too": (html) => html.replace(/<\/head>/i, `<script>window.visit = ${Date.now()};</script></head>`),
  "no-frames-or-styles": (html) =>
    html.replace(/<style[\s>].*?<\/style>/gis, "").replace(/<iframe[\s>].*?<\/iframe>/gis, ""),
  "in-a-layout": (html) =>
    `<!doctype html><title>Acme</title><meta name="csrf-token" content="${randomUUID()}">${linkTo("body { margin: 0 }")}<script>window.acme = {};</script><header>Acme</header>${/<body[^>]*>(.*)<\/body>/is.exec(html)?.[1] ?? html}`,
  "styles-in-a-file": (html) => html.replace(/<style[^>]*>(.*?)<\/style>/gis, (_, css: string) => linkTo(css)),
  "in-a-frame": (html) =>
    `<!doctype html><title>Acme</title><iframe srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`,
};

/** Returns a style sheet whose name is its text. */
function showSheet(path: string): Answer {
  const text = Buffer.from(path.slice("/sheets/".length, -".css".length), "base64url").toString();
  return { status: 200, text, headers: { "content-type": "text/css" } };
}

function linkTo(css: string): string {
  return `<link rel="stylesheet" href="/sheets/${Buffer.from(css).toString("base64url")}.css">`;
}

const HTML = { "content-type": "text/html; charset=utf-8" } as const;

const SIGN_IN = `<!doctype html><title>Sign in</title><h1>Sign in</h1><form method="post" action="/login"><input type="password" name="password"></form>`;

const EXPIRED: Answer = { status: 403, text: "<Error><Code>AccessDenied</Code></Error>" };

function notFound(): Answer {
  return { status: 404, text: "<!doctype html><title>Not found</title><h1>Nothing here</h1>", headers: HTML };
}

function showFile({ dialect, world, request }: Pick<Visit, "dialect" | "world" | "request">, path: string): Answer {
  const { serves } = dialect.library;
  const asset = [...world.assets.values()].find((asset) => asset.path === path);
  if (asset === undefined || asset.deletedAt !== undefined || serves === "nothing") return notFound();
  if (isProcessing({ dialect, world }, asset)) return notFound();
  const isForeign = !world.addresses.pages.startsWith(new URL(request.headers.get("referer") ?? "about:blank").origin);
  if (serves === "own pages" && isForeign) return { status: 403, text: "Hotlinks are forbidden." };
  const isText = serves === "drawings-as-text" && asset.type === "image/svg+xml";
  const headers = { "content-type": isText ? "text/plain" : asset.type, "access-control-allow-origin": "*" };
  return { status: 200, bytes: serves === "cut" ? asset.bytes.subarray(0, 20) : asset.bytes, headers };
}

/** The text of a post as readers see it. */
export function shownHtml({ html }: Pick<PostRecord, "html">, { posts }: Dialect): string {
  return posts.body.includes("markdown") ? String(MARKDOWN.processSync(html)) : html;
}

const MARKDOWN = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeStringify);

function showPost({ dialect, world }: Pick<Visit, "dialect" | "world">, path: string): Answer {
  const [, , blog = "", slug] = path.split("/");
  const post = world.posts.get(blog)?.find((post) => post.slug === slug);
  if (post === undefined || post.isDraft === true) return notFound();
  return POSTS[dialect.posts.shows](post.title, shownHtml(post, dialect));
}

const POSTS: Readonly<Record<Dialect["posts"]["shows"], (title: string, html: string) => Answer>> = {
  all: (title, html) => postPage(title, html),
  "coming soon": (title) => postPage(title, "<p>Coming soon</p>"),
  "another post": () => postPage("Of a mate", "<p>Somebody else wrote this text about quite another thing.</p>"),
  "the home page": () => ({ status: 302, text: "", headers: { location: "/p/index" } }),
  "a password form": (title) => postPage(title, '<form method="post"><input type="password" name="password"></form>'),
  "plain text": (title, html) => ({ ...postPage(title, html), headers: { "content-type": "text/plain" } }),
  "latin-1": (title, html) => ({ ...postPage(title, html), headers: { "content-type": "text/html; charset=latin1" } }),
  "no images": (title, html) => {
    return { ...postPage(title, html), headers: { ...HTML, "content-security-policy": "img-src 'none'" } };
  },
  "by script": (title, html) => {
    return postPage(title, `<script>window.post = ${JSON.stringify({ html }).replaceAll("<", "\\u003c")};</script>`);
  },
};

function postPage(title: string, html: string): Answer {
  return { status: 200, text: `<!doctype html><title>${title}</title>${html}`, headers: HTML };
}

function slugIn(pattern: string, path: string): string | undefined {
  const [before = "", after = ""] = pattern.split("{slug}");
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const slug = path.slice(before.length, path.length - after.length);
  return slug === "" || slug.includes("/") ? undefined : decodeURIComponent(slug);
}
