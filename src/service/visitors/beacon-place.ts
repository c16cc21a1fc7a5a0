/** Where the script goes in a page; `undefined` when the page does not let it run. */
export function findBeaconPlace(html: Uint8Array, { origin }: { readonly origin: string }): number | undefined {
  // One character a byte, so that places in the text are places in the bytes.
  const text = Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString("latin1");
  const elements = text.match(ELEMENT) ?? [];
  if (hasForeignBase(elements) || !policiesOf(elements).every((policy) => isAllowed(policy, origin))) return undefined;
  return findBodyEnd(text);
}

const TAIL = 4000;
// A closing tag in a script or a comment is followed by more than this.
const BODY_END = /<\/body\s*>(?:\s|<!--(?:(?!-->)[^])*-->|<\/html\s*>)*$/i;

function findBodyEnd(text: string): number {
  const start = Math.max(0, text.length - TAIL);
  const found = text.slice(start).search(BODY_END);
  return found === -1 ? text.length : start + found;
}

// Neither element has a `<` in its values, and a pattern that stops there stays quick on any page.
const ELEMENT = /<(?:meta|base)\s[^<>]*>/gi;
const FOREIGN_BASE = /^<base\s.*?\bhref\s*=\s*(?:["']\s*)?(?:https?:)?\/\//is;
const POLICY = /^<meta\s.*?\bhttp-equiv\s*=\s*["']?content-security-policy\b/is;
const CONTENT = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

// All relative addresses of such a page lead to another host, that of the script as well.
function hasForeignBase(elements: readonly string[]): boolean {
  return elements.some((element) => FOREIGN_BASE.test(element));
}

/** The content security policies that a page sets itself. */
function policiesOf(elements: readonly string[]): readonly string[] {
  return elements
    .filter((element) => POLICY.test(element))
    .map((element) => {
      const [, double, single] = CONTENT.exec(element) ?? [];
      return (double ?? single ?? "").replaceAll(/&(?:#39|#x27|apos);/gi, "'");
    });
}

function isAllowed(policy: string, origin: string): boolean {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.toLowerCase().split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    if (!directives.has(name)) directives.set(name, sources);
  }
  const find = (...names: readonly string[]) => names.map((name) => directives.get(name)).find((found) => found);
  const scripts = find("script-src-elem", "script-src", "default-src");
  const connections = find("connect-src", "default-src");
  return allowsOwn(scripts, origin) && allowsOwn(connections, origin) && scripts?.includes("'strict-dynamic'") !== true;
}

function allowsOwn(sources: readonly string[] | undefined, origin: string): boolean {
  return sources === undefined || ["'self'", "*", origin].some((source) => sources.includes(source));
}
