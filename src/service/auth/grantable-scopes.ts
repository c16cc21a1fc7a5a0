import { SCOPES, type Scope } from "../../contract/scopes.ts";

/** A scope that a person can give a program. */
export type GrantableScope = Exclude<Scope, "account:write">;

/**
 * What each scope allows, in words for the person who is asked. `account:write` is not among them: with it a program
 * could make itself an API key that outlives its grant, or have all events sent to it.
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

/** In the order in which people are asked. */
export const GRANTABLE_SCOPES: readonly GrantableScope[] = SCOPES.filter(isGrantable);

/** What a program is offered that asks for nothing in particular: to look, and to change nothing. */
export const DEFAULT_SCOPES: readonly GrantableScope[] = GRANTABLE_SCOPES.filter((scope) => scope.endsWith(":read"));

/** The scopes of a list separated by spaces that can be given; others are left out. */
export function parseScopes(text: string): readonly GrantableScope[] {
  const names = new Set(text.split(" "));
  return GRANTABLE_SCOPES.filter((scope) => names.has(scope));
}

function isGrantable(scope: Scope): scope is GrantableScope {
  return scope !== "account:write";
}
