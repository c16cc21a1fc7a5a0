/**
 * What a key or a token may do. The specification shows no scope names (see docs/service-api.md, "Decided here"); an API key holds all of
 * them unless it was narrowed, an OAuth token holds those the person approved.
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
