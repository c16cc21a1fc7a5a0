import { SCOPES, type Scope } from "../../contract/scopes.ts";

/** A scope that users can grant to a program. */
export type GrantableScope = Exclude<Scope, "account:write">;

/**
 * Descriptions of the scopes on the consent page. `account:write` can't be granted: a program could use it to create an
 * API key that outlives its grant, or to have all events sent to it.
 */
export const SCOPE_SENTENCES = {
  "pages:read": "See your pages, published or not",
  "pages:write": "Publish, change and delete pages",
  "sites:read": "See your sites",
  "sites:write": "Create, change and delete sites",
  "library:read": "See the files in your library",
  "library:write": "Upload, rename and delete files in your library",
  "blogs:read": "See your blogs and their posts",
  "blogs:write": "Publish, change and delete posts, and create blogs",
  "analytics:read": "See how your pages are visited",
  "forms:read": "See what visitors sent through your forms",
  "forms:write": "Delete what visitors sent through your forms",
  "domains:read": "See your custom domains",
  "domains:write": "Connect and remove custom domains",
  "brand:read": "See your brand kits",
  "brand:write": "Create, change and delete brand kits",
  "account:read": "See your plan, its limits and how much of them is used",
} as const satisfies Record<GrantableScope, string>;

/** In the order of the consent page. */
export const GRANTABLE_SCOPES: readonly GrantableScope[] = SCOPES.filter(isGrantable);

/** Scopes offered to a program that requests none: read-only. */
export const DEFAULT_SCOPES: readonly GrantableScope[] = GRANTABLE_SCOPES.filter((scope) => scope.endsWith(":read"));

/** Parses a space-separated list of scopes, skipping those that can't be granted. */
export function parseScopes(text: string): readonly GrantableScope[] {
  const names = new Set(text.split(" "));
  return GRANTABLE_SCOPES.filter((scope) => names.has(scope));
}

function isGrantable(scope: Scope): scope is GrantableScope {
  return scope !== "account:write";
}
