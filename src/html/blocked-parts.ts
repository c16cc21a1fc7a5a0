import { parsePolicy, type Directive } from "./csp.ts";
import { findCssAddresses } from "./css-addresses.ts";
import { partsOf, removedParts, type PagePart } from "./page-parts.ts";
import { parseHtml } from "./parse.ts";
import { textOf, visitElements, type HtmlElement } from "./tree.ts";

/**
 * How a page is shown: its address, its policy, in which commas separate several, with `X-Frame-Options` as
 * `frame-ancestors`, and the header `X-Robots-Tag`.
 */
export interface ShownPolicy {
  readonly url: string;
  readonly policy: string | undefined;
  readonly robots?: string | undefined;
}

/**
 * Returns the parts of a page that readers don't get: those that its host removes, and those that the host's policy
 * blocks.
 *
 * @param sent HTML as sent
 * @param shown HTML as readers get it
 */
export function missingParts(sent: string, shown: string, policy: ShownPolicy | undefined): readonly PagePart[] {
  const removed = removedParts(sent, shown, policy?.url);
  if (policy === undefined) return removed;
  const own = metaPolicies(sent);
  const added = metaPolicies(shown).filter((each) => !own.includes(each));
  const all = [...(policy.policy === undefined ? [] : [policy.policy]), ...added];
  const blocked = partsOutside(sent, { ...policy, policy: all.length === 0 ? undefined : all.join(",") });
  return [...new Set([...removed, ...blocked])];
}

/** Returns the policies that a page has in its own head, without the spaces that hosts remove. */
function metaPolicies(html: string): readonly string[] {
  if (!/content-security-policy/i.test(html)) return [];
  const found: string[] = [];
  visitElements(parseHtml(html), (element) => {
    const isPolicy = /^content-security-policy$/i.test(attributeOf(element, "http-equiv") ?? "");
    if (element.tagName !== "meta" || !isPolicy) return;
    const directives = parsePolicy(attributeOf(element, "content") ?? "");
    found.push(directives.map(({ name, sources }) => [name, ...sources].join(" ")).join(";"));
  });
  return found;
}

/** Returns the parts of a page that readers don't get because of the headers that it is served with. */
export function partsOutside(sent: string, policy: ShownPolicy): readonly PagePart[] {
  const isHidden = /\b(?:noindex|none)\b/i.test(policy.robots ?? "") && partsOf(sent).includes("indexing");
  return [...(isHidden ? (["indexing"] as const) : []), ...blockedParts(sent, policy)];
}

/**
 * Returns the parts of a page that the policy of its host keeps browsers from showing or running, as specified by
 * Content Security Policy Level 3. Hashes and nonces of a host can't fit scripts of the page, so they count as none.
 */
export function blockedParts(html: string, { url, policy }: ShownPolicy): readonly PagePart[] {
  if (policy === undefined) return [];
  const policies = policy.split(",").map(parsePolicy);
  const blocked = new Set<PagePart>();
  visitElements(parseHtml(html), (element, { inert }) => {
    for (const part of inert ? [] : partsIn(element)) {
      const shown = { ...part, address: url };
      const isBlocked = (directives: readonly Directive[]) =>
        !allows(directives, shown) || refusesFrame(directives, shown);
      if (policies.some(isBlocked)) blocked.add(part.part);
    }
  });
  return [...blocked];
}

function partsIn(element: HtmlElement): readonly Part[] {
  const part = partOf(element);
  return [
    ...(part === undefined ? [] : [part]),
    ...(element.tagName === "style" ? fontsIn(textOf(element)) : []),
    ...(part?.part === "scripts" ? requestsIn(textOf(element)) : []),
    ...(element.attrs.some(({ name }) => /^on[a-z]/.test(name)) ? [HANDLER] : []),
    ...(element.attrs.some(({ name }) => name === "style") ? [STYLE_ATTRIBUTE] : []),
  ];
}

function attributeOf({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((attr) => attr.name === name)?.value;
}

function fontsIn(css: string): readonly Part[] {
  const faces = (css.match(/@font-face\s*\{[^}]*\}/gi) ?? []).join("\n");
  const directives = ["font-src", "default-src"];
  return findCssAddresses(faces).map(({ address }) => ({ part: "fonts", directives, source: address }));
}

function requestsIn(script: string): readonly Part[] {
  const directives = ["connect-src", "default-src"];
  const found = script.matchAll(/\bfetch\(\s*["'`]([^"'`$]+)["'`]/g);
  return Array.from(found, ([, source]) => ({ part: "scripts", directives, source }));
}

interface Part {
  readonly part: PagePart;
  /** Directives that govern it; the first present one applies. */
  readonly directives: readonly string[];
  /** What a sandbox needs to allow for it. */
  readonly needs?: string;
  /** Its address as written; `undefined` if its content is in the page. */
  readonly source: string | undefined;
}

function partOf(element: HtmlElement): Part | undefined {
  const attribute = (name: string) => attributeOf(element, name);
  const source = attribute("src");
  switch (element.tagName) {
    case "script":
      if (!RUNS.test(attribute("type") ?? "")) return undefined;
      return {
        part: "scripts",
        directives: ["script-src-elem", "script-src", "default-src"],
        needs: "allow-scripts",
        source,
      };
    case "style":
      return { part: "styles", directives: STYLE, source: undefined };
    case "link":
      return /\bstylesheet\b/i.test(attribute("rel") ?? "")
        ? { part: "styles", directives: STYLE, source: attribute("href") }
        : undefined;
    case "iframe":
      return source === undefined
        ? undefined
        : { part: "frames", directives: ["frame-src", "child-src", "default-src"], source };
    case "form":
      return { part: "forms", directives: ["form-action"], needs: "allow-forms", source: attribute("action") ?? "" };
    case "img":
      return source === undefined ? undefined : { part: "images", directives: ["img-src", "default-src"], source };
    case "video":
    case "audio":
      return source === undefined ? undefined : { part: "media", directives: ["media-src", "default-src"], source };
    case "object":
    case "embed":
      return embedded(source ?? attribute("data"));
    default:
      return undefined;
  }
}

function embedded(source: string | undefined): Part | undefined {
  return source === undefined ? undefined : { part: "embeds", directives: ["object-src", "default-src"], source };
}

const STYLE = ["style-src-elem", "style-src", "default-src"];
const STYLE_ATTRIBUTE: Part = {
  part: "styles",
  directives: ["style-src-attr", "style-src", "default-src"],
  source: undefined,
};
const HANDLER: Part = {
  part: "scripts",
  directives: ["script-src-attr", "script-src", "default-src"],
  source: undefined,
};
const RUNS = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/i;

function allows(
  directives: readonly Directive[],
  { directives: names, needs, source, address }: Part & { readonly address: string },
): boolean {
  const find = (name: string) => directives.find((directive) => directive.name.toLowerCase() === name)?.sources;
  const sandbox = find("sandbox");
  if (needs !== undefined && sandbox !== undefined && !sandbox.includes(needs)) return false;
  const sources = names.map(find).find((each) => each !== undefined);
  if (sources === undefined) return true;
  if (source === undefined) {
    return (
      sources.includes("'unsafe-inline'") && !sources.some((each) => /^'(?:nonce-|sha\d|strict-dynamic)/i.test(each))
    );
  }
  const url = URL.parse(source, address);
  // The addresses of files may not be filled in yet.
  if (url === null || url.protocol === "imprint-asset:") return true;
  return sources.some((each) => fits(each, url, new URL(address)));
}

/** Whether a page of the same host refuses to be shown within another one, as its pages have the same policy. */
function refusesFrame(
  directives: readonly Directive[],
  { part, source, address }: Part & { readonly address: string },
): boolean {
  const sources = directives.find(({ name }) => name.toLowerCase() === "frame-ancestors")?.sources;
  if (part !== "frames" || sources === undefined) return false;
  const page = new URL(address);
  return URL.parse(source ?? "", address)?.origin === page.origin && !sources.some((each) => fits(each, page, page));
}

const HOST = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/[^?#]*)?$/i;

/** Whether a source expression of a policy fits an address. */
function fits(expression: string, url: URL, page: URL): boolean {
  if (/^'self'$/i.test(expression)) return url.origin === page.origin;
  if (expression === "*") return /^(?:https?|wss?):$/.test(url.protocol);
  if (/^[a-z][a-z\d+.-]*:$/i.test(expression)) return isScheme(expression, url.protocol);
  const [, scheme, host = "", port, path] = HOST.exec(expression) ?? [];
  const isHost = host.startsWith("*.") ? url.hostname.endsWith(host.slice(1)) : host === "*" || url.hostname === host;
  const isPort = port === "*" || (port ?? "") === url.port;
  const isPath = path === undefined || (path.endsWith("/") ? url.pathname.startsWith(path) : url.pathname === path);
  return isHost && isPort && isPath && isScheme(scheme === undefined ? page.protocol : `${scheme}:`, url.protocol);
}

// A policy for http also allows https.
function isScheme(allowed: string, used: string): boolean {
  return allowed.toLowerCase() === used || (allowed.toLowerCase() === "http:" && used === "https:");
}
