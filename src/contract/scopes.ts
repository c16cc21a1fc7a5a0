/**
 * Permissions of a key or a token. The specification defines no scope names (see docs/service-api.md, "Decided here").
 * An API key has all of them unless it was restricted; an OAuth token has those that the user approved.
 */
export const SCOPES = [
  "pages:read",
  "pages:write",
  "sites:read",
  "sites:write",
  "library:read",
  "library:write",
  "blogs:read",
  "blogs:write",
  "analytics:read",
  "forms:read",
  "forms:write",
  "domains:read",
  "domains:write",
  "brand:read",
  "brand:write",
  "account:read",
  "account:write",
] as const;

export type Scope = (typeof SCOPES)[number];
