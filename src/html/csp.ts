import { createHash } from "node:crypto";

/**
 * Sources that a page needs its content security policy to allow, by directive: `script-src` → `data:`, `'sha256-…'`.
 */
export type PolicyNeeds = ReadonlyMap<string, readonly string[]>;

/**
 * Adds the sources that a page needs to a content security policy. Unrestricted directives aren't added; a directive
 * that falls back to another one is written out. The order and spelling of everything else is kept.
 */
export function extendPolicy(policy: string, needs: PolicyNeeds): string {
  let directives = parsePolicy(policy);
  let changed = false;
  for (const [name, sources] of needs) {
    const extended = extendDirective(directives, name, sources);
    changed ||= extended !== directives;
    directives = extended;
  }
  if (!changed) return policy;
  return directives.map(({ name, sources }) => [name, ...sources].join(" ")).join("; ");
}

/**
 * Whether a policy allows an inline script or style: nothing restricts its directive, `'unsafe-inline'` does, or a hash
 * of its text. (Content Security Policy Level 3, "Does element match source list for type and source?")
 */
export function allowsInline(policy: string, name: string, text: string): boolean {
  const directives = parsePolicy(policy);
  const sources = [`${name}-elem`, name, "default-src"]
    .map((wanted) => directives.find((directive) => directive.name.toLowerCase() === wanted)?.sources)
    .find((found) => found !== undefined);
  if (sources === undefined || isInlineAllowed(sources)) return true;
  const parsed = text.replaceAll("\r\n", "\n");
  return ["sha256", "sha384", "sha512"].some((algorithm) => {
    const written = `'${algorithm}-`;
    if (!sources.some((source) => source.startsWith(written))) return false;
    return sources.includes(`${written}${createHash(algorithm).update(parsed).digest("base64")}'`);
  });
}

export interface Directive {
  readonly name: string;
  readonly sources: readonly string[];
}

export function parsePolicy(policy: string): readonly Directive[] {
  return policy
    .split(";")
    .map((part) => part.trim().split(/\s+/))
    .flatMap(([name = "", ...sources]) => (name === "" ? [] : [{ name, sources }]));
}

const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  "worker-src": ["child-src", "script-src", "default-src"],
};

function extendDirective(
  directives: readonly Directive[],
  name: string,
  wanted: readonly string[],
): readonly Directive[] {
  // If present, `script-src-elem` governs script elements, while modules still use `script-src`.
  const names = [name, `${name}-elem`];
  const present = directives.filter((directive) => names.includes(directive.name.toLowerCase()));
  if (present.length === 0) {
    const fallback = (FALLBACKS[name] ?? ["default-src"])
      .map((other) => directives.find((directive) => directive.name.toLowerCase() === other))
      .find((directive) => directive !== undefined);
    if (fallback === undefined) return directives;
    const sources = mergeSources(fallback.sources, wanted);
    return sources === fallback.sources ? directives : [...directives, { name, sources }];
  }
  if (present.every(({ sources }) => mergeSources(sources, wanted) === sources)) return directives;
  return directives.map((directive) =>
    present.includes(directive) ? { ...directive, sources: mergeSources(directive.sources, wanted) } : directive,
  );
}

// A hash makes browsers ignore 'unsafe-inline', which already allows all inline code.
function isInlineAllowed(sources: readonly string[]): boolean {
  return sources.includes("'unsafe-inline'") && !sources.some(isHashOrNonce);
}

function mergeSources(present: readonly string[], wanted: readonly string[]): readonly string[] {
  const isAllowed = isInlineAllowed(present);
  const missing = wanted.filter((source) => !present.includes(source) && !(isAllowed && isHashOrNonce(source)));
  if (missing.length === 0) return present;
  return [...present.filter((source) => source !== "'none'"), ...new Set(missing)];
}

function isHashOrNonce(source: string): boolean {
  return /^'(?:(?:sha256|sha384|sha512|nonce)-|imprint-sha256:)/.test(source);
}
