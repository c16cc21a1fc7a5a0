import * as z from "zod";
import { createdAt, extensionRecord, id, textOrNull, timeOrNull, timestamp } from "./fields.ts";
import { SCOPES, type Scope } from "./scopes.ts";

/** Roles of users, from the most to the fewest permissions. */
export const ROLES = ["owner", "editor", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/**
 * The lowest role that has each scope. Every operation (`operations/`) and every page of the dashboard needs one scope,
 * and a key or a token never has more scopes than the role of its user, so that a role means the same in the dashboard,
 * the API and MCP.
 */
const LEAST_ROLES: Readonly<Record<Scope, Role>> = {
  "pages:read": "viewer",
  "pages:write": "editor",
  "sites:read": "viewer",
  "sites:write": "editor",
  "library:read": "viewer",
  "library:write": "editor",
  "blogs:read": "viewer",
  "blogs:write": "editor",
  "analytics:read": "viewer",
  "forms:read": "viewer",
  "forms:write": "editor",
  "domains:read": "viewer",
  "domains:write": "owner",
  "brand:read": "viewer",
  "brand:write": "editor",
  "account:read": "viewer",
  "account:write": "owner",
};

/** Returns the scopes that a role has; `null` means all scopes. */
export function limitToRole(scopes: readonly Scope[] | null, role: Role): readonly Scope[] | null {
  if (role === "owner") return scopes;
  const rank = ROLES.indexOf(role);
  return (scopes ?? SCOPES).filter((scope) => ROLES.indexOf(LEAST_ROLES[scope]) >= rank);
}

/** Whether scopes include one; `null` means all scopes. */
export function includesScope(scopes: readonly Scope[] | null, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope);
}

export const userRecord = extensionRecord("User", () => ({
  id,
  name: z.string().meta({ title: "Name", description: "Name of the person." }),
  email: textOrNull.meta({
    title: "Email",
    description: "Address that sign-in links are sent to; null for the first owner until it is set.",
  }),
  role: z.enum(ROLES).meta({
    title: "Role",
    description: "An owner can do everything, an editor can change content, a viewer can only view it.",
  }),
  formMails: z
    .boolean()
    .meta({ title: "Mails about forms", description: "Whether the user gets a mail about each submission." }),
  createdAt,
  lastSignInAt: timeOrNull.meta({
    title: "Last sign-in",
    description: "When the user last signed in; null for never.",
  }),
  url: z.url().optional().meta({
    title: "Invitation",
    description: "One-time link that signs the user in, returned only when the invitation isn't sent by mail.",
  }),
}));

/** What happens to a removed user's API keys. */
export const KEY_FATES = ["revoke", "keep"] as const;

export type KeyFate = (typeof KEY_FATES)[number];

export type UserRecord = z.infer<typeof userRecord.full>;

/** What the audit log records, and how people read it. */
export const AUDIT_WORDS = {
  "sign-in": "Signed in",
  "sign-in.failed": "Failed to sign in",
  "sign-out": "Signed out",
  "link.created": "Created a sign-in link",
  "user.created": "Added a user",
  "user.changed": "Changed a user",
  "user.deleted": "Removed a user",
  "key.created": "Created an API key",
  "key.revoked": "Revoked an API key",
  "key.kept": "Kept a removed user’s API key",
  "grant.created": "Connected an app",
  "grant.revoked": "Disconnected an app",
  "webhook.created": "Added a webhook",
  "webhook.changed": "Changed a webhook",
  "webhook.deleted": "Deleted a webhook",
  "domain.created": "Added a domain",
  "domain.changed": "Changed a domain",
  "domain.deleted": "Removed a domain",
  "site.created": "Created a site",
  "site.changed": "Changed a site",
  "site.deleted": "Deleted a site",
  "release.rolledBack": "Rolled back a site",
  "backup.restored": "Restored a backup",
  "page.deleted": "Deleted a page",
  "asset.deleted": "Deleted a file",
  "post.deleted": "Deleted a post",
  "brandKit.deleted": "Deleted a brand kit",
  "submission.deleted": "Deleted a submission",
} as const;

export type AuditAction = keyof typeof AUDIT_WORDS;

export const AUDIT_ACTIONS = Object.keys(AUDIT_WORDS) as readonly AuditAction[];

export const auditRecord = extensionRecord("AuditEntry", () => ({
  id,
  createdAt: timestamp.meta({ title: "Time", description: "When it happened." }),
  action: z.enum(AUDIT_ACTIONS).meta({ title: "Action", description: "What was done." }),
  actor: z.string().meta({ title: "By", description: "Who did it: a user, an API key or a connected app." }),
  actorId: textOrNull.meta({
    title: "ID of who did it",
    description: "ID of the user, key or app; null for the service.",
  }),
  subject: textOrNull.meta({ title: "What", description: "Name of what it was done to; null for none." }),
  subjectId: textOrNull.meta({ title: "ID of what", description: "ID of what it was done to; null for none." }),
  detail: textOrNull.meta({ title: "Details", description: "Further details; null for none." }),
  address: textOrNull.meta({ title: "Address", description: "Network address of a sign-in; null for others." }),
}));

export type AuditRecord = z.infer<typeof auditRecord.full>;
