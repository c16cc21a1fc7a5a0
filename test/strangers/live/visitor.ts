import { MEMBER } from "../host.ts";
import { addressesInCss, importsInCss, readFacts, type PageFacts } from "./document.ts";

export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly size: number;
}

/** Opens addresses like a browser, each once. */
export interface Visitor {
  open(url: string): Promise<Visited>;
  openPage(url: string): Promise<Visited & { readonly facts: PageFacts }>;
}

export function createVisitor(): Visitor {
  const opened = new Map<string, Promise<Visited>>();
  const facts = new Map<string, PageFacts>();
  const visitor: Visitor = {
    open(url) {
      const key = url.replace(/#.*$/, "");
      const known = opened.get(key) ?? fetchOnce(key);
      opened.set(key, known);
      return known;
    },
    async openPage(url) {
      const visited = await visitor.open(url);
      const known = facts.get(visited.url) ?? readFacts(visited.text);
      facts.set(visited.url, known);
      return { ...visited, facts: known };
    },
  };
  return visitor;
}

async function fetchOnce(url: string): Promise<Visited> {
  try {
    const response = await fetch(url, { headers: MEMBER });
    const bytes = await response.bytes();
    const type = response.headers.get("content-type") ?? "";
    const text = /^text\/|json|svg/.test(type) ? Buffer.from(bytes).toString() : "";
    return { url, status: response.status, type, text, size: bytes.length };
  } catch (error) {
    return { url, status: 0, type: "", text: String(error), size: 0 };
  }
}

export type Wanted = "image" | "font" | "style" | "script";

const TYPES: Readonly<Record<Wanted, RegExp>> = {
  image: /^image\//,
  font: /^(?:font\/|application\/(?:x-)?font|application\/octet-stream)/,
  style: /^text\/css/,
  script: /javascript/,
};

/** A file that a page loads. */
export interface Loaded {
  readonly wanted: Wanted;
  readonly url: string;
}

/** Returns everything that a page loads, including what its style sheets load. */
export async function loadedBy(visitor: Visitor, facts: PageFacts, pageUrl: string): Promise<readonly Loaded[]> {
  const base = facts.base === undefined ? pageUrl : new URL(facts.base, pageUrl).href;
  const at = (wanted: Wanted, addresses: readonly string[]) =>
    addresses.map((href) => ({ wanted, url: resolve(href, base) }));
  const fromCss = await Promise.all([
    ...facts.css.map((css) => loadedByCss(visitor, css, base)),
    ...at("style", facts.styleSheets).map(async ({ url }) =>
      loadedByCss(visitor, (await readSheet(visitor, url)).text, url),
    ),
  ]);
  return [
    ...at("image", [...facts.images, ...facts.sourceSets, ...facts.icons]),
    ...at("style", facts.styleSheets),
    ...at("script", facts.scripts),
    ...fromCss.flat(),
  ];
}

async function loadedByCss(visitor: Visitor, css: string, base: string): Promise<readonly Loaded[]> {
  const { fonts, images } = addressesInCss(css);
  const imports = importsInCss(css).map((href) => resolve(href, base));
  const deeper = imports.map(async (url) => loadedByCss(visitor, (await readSheet(visitor, url)).text, url));
  return [
    ...fonts.map((href): Loaded => ({ wanted: "font", url: resolve(href, base) })),
    ...images.map((href): Loaded => ({ wanted: "image", url: resolve(href, base) })),
    ...imports.map((url): Loaded => ({ wanted: "style", url })),
    ...(await Promise.all(deeper)).flat(),
  ];
}

async function readSheet(visitor: Visitor, url: string): Promise<{ readonly text: string }> {
  if (!url.startsWith("data:")) return await visitor.open(url);
  return { text: await (await fetch(url)).text() };
}

export function resolve(href: string, base: string): string {
  return URL.canParse(href, base) ? new URL(href, base).href : href;
}

/** Returns why a file doesn't load; `undefined` if it does. */
export async function findFault(visitor: Visitor, { wanted, url }: Loaded): Promise<string | undefined> {
  if (url.startsWith("data:"))
    return TYPES[wanted].test(url.slice(5)) ? undefined : `${url.slice(0, 40)} is no ${wanted}`;
  if (!/^https?:/.test(url)) return `${url} is no address`;
  const { status, type, size } = await visitor.open(url);
  if (status !== 200) return `${wanted} ${url} answers ${status}`;
  if (size === 0) return `${wanted} ${url} is empty`;
  return TYPES[wanted].test(type) ? undefined : `${wanted} ${url} has the type ${type}`;
}
