import { sha256 } from "../../base/hash.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import { whereWritable } from "../store/as-problem.ts";
import { limitToRole, type Role } from "../../contract/people.ts";
import type { Actor, Context } from "../resources/context.ts";
import { audit, nameUser } from "../resources/audit.ts";
import { found } from "../resources/fields.ts";
import { nameBrowser } from "../resources/visit-traits.ts";
import { deleteRows, findRow, insertRow, updateRows } from "../store/rows.ts";
import { findSession, findSessionsOf, takeSignInLink, type Session, type UserSession } from "../store/sessions.ts";
import { findFirstOwner } from "../store/users.ts";

/** The user of a signed-in browser. */
export interface Person extends Actor {
  readonly accountId: string;
  readonly userId: string;
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  /** Hash of the place where the session was last used; see `recordOwnPlace`. */
  readonly place: string | null;
}

export interface SignInLink {
  readonly url: string;
  readonly expiresAt: Date;
}

const COOKIE = "imprint_session";
// Browsers accept this prefix only from the host itself and over TLS.
const SECURE_COOKIE = `__Host-${COOKIE}`;
const LINK_LIFE_MS = 10 * 60 * 1000;
const SESSION_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
/** Regardless of use. */
const LONGEST_SESSION_MS = 90 * 24 * 60 * 60 * 1000;
const PROLONG_EVERY_MS = 60 * 60 * 1000;
// The longest that browsers keep a cookie. The session's expiry is in the database, where use extends it.
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

type LinkContext = Pick<Context, "database" | "accountId" | "addresses" | "now" | "random" | "newId" | "actor">;

export interface LinkOptions {
  /** The user to sign in. Default: the longest-standing owner. */
  readonly userId?: string | undefined;
  /** How long the link is valid. Default: 10 minutes. */
  readonly lifeMs?: number;
  /** Whether the link invites the user. */
  readonly isInvitation?: boolean;
}

/** Creates a one-time link to sign in to the dashboard, valid for a limited time. Only its hash is stored. */
export async function createSignInLink(
  context: LinkContext,
  { userId, lifeMs = LINK_LIFE_MS, isInvitation = false }: LinkOptions = {},
): Promise<SignInLink> {
  const { database, accountId, addresses, now, random } = context;
  const user =
    userId === undefined
      ? await findFirstOwner(database, accountId)
      : await findRow(database, "accountUser", { accountId, id: userId });
  const whom = found(user, "user_not_found");
  const token = base62(random(RANDOM_BYTES));
  const expiresAt = new Date(now.getTime() + lifeMs);
  await insertRow(database, "signInLink", {
    hash: sha256(token),
    accountId,
    userId: whom.id,
    expiresAt,
    invitation: isInvitation,
  });
  await audit(context, { action: "link.created", subject: nameUser(whom), subjectId: whom.id });
  return { url: `${addresses.appUrl}/sign-in?token=${token}`, expiresAt };
}

/** Deletes a link that no one received. */
export async function withdrawSignInLink(database: Context["database"], url: string): Promise<void> {
  await deleteRows(database, "signInLink", { hash: sha256(new URL(url).searchParams.get("token") ?? "") });
}

/** Whether a link's token is valid. Doesn't redeem it. */
export async function isSignInLink({ database, now }: Pick<LinkContext, "database" | "now">, token: string) {
  const link = await findRow(database, "signInLink", { hash: sha256(token) });
  return link !== undefined && link.expiresAt > now;
}

/**
 * Redeems a link and signs the browser in. Returns the `Set-Cookie` header, or `undefined` if the link is used, expired
 * or unknown.
 */
export async function redeemSignInLink(
  context: Omit<LinkContext, "accountId">,
  { token, address, userAgent }: { readonly token: string; readonly address: string; readonly userAgent: string },
): Promise<string | undefined> {
  const { database, addresses, now, random } = context;
  const link = await takeSignInLink(database, sha256(token), now);
  if (link === undefined) return undefined;
  const { accountId, userId } = link;
  const secret = base62(random(RANDOM_BYTES));
  const hash = sha256(secret);
  const expiresAt = new Date(now.getTime() + SESSION_LIFE_MS);
  await insertRow(database, "session", {
    hash,
    accountId,
    userId,
    createdAt: now,
    lastSeenAt: now,
    place: null,
    expiresAt,
    browser: nameBrowser(userAgent),
    address,
  });
  const actor = { kind: "session", keyId: hash, userId, scopes: null } as const;
  await audit({ ...context, accountId, actor }, { action: "sign-in", address });
  return formatCookie(secret, { appUrl: addresses.appUrl, maxAge: COOKIE_SECONDS });
}

/**
 * Returns the user who is signed in with the browser that sent a request. A session ends after 14 days without use, and
 * after 90 days in any case.
 */
export async function findPerson(
  { database, now, addresses }: Pick<LinkContext, "database" | "now" | "addresses">,
  request: Request,
): Promise<Person | undefined> {
  const session = await findSessionOf({ database, addresses }, request);
  if (session === undefined || !isOpen(session, now)) return undefined;
  if (now.getTime() - session.lastSeenAt.getTime() > PROLONG_EVERY_MS) {
    const expiresAt = new Date(now.getTime() + SESSION_LIFE_MS);
    const prolonged = { match: { hash: session.hash }, set: { lastSeenAt: now, expiresAt } };
    await whereWritable(updateRows(database, "session", prolonged));
  }
  const { hash: keyId, accountId, userId, role, name, email, place } = session;
  return {
    kind: "session",
    keyId,
    accountId,
    userId,
    role,
    name,
    email,
    place,
    scopes: limitToRole(null, role),
  };
}

/** Returns the session that a request's cookie names, expired or not. */
export async function findSessionOf(
  { database, addresses }: Pick<LinkContext, "database" | "addresses">,
  request: Request,
): Promise<UserSession | undefined> {
  const secret = readCookie(request.headers.get("Cookie") ?? "", addresses.appUrl);
  return secret === undefined ? undefined : await findSession(database, sha256(secret));
}

function isOpen({ expiresAt, createdAt }: Session, now: Date): boolean {
  return expiresAt > now && now.getTime() - createdAt.getTime() < LONGEST_SESSION_MS;
}

/** Lists a user's signed-in browsers, most recently used first. */
export async function listSessionsOf({ database, now }: Context, { userId }: Person): Promise<readonly Session[]> {
  const sessions = await findSessionsOf(database, userId);
  return sessions.filter((session) => isOpen(session, now));
}

/** Ends a user's session. Returns the `Set-Cookie` header that deletes the cookie. */
export async function endSession(
  { database, addresses }: Pick<Context, "database" | "addresses">,
  { keyId: hash, userId }: Pick<Person, "keyId" | "userId">,
): Promise<string> {
  await deleteRows(database, "session", { userId, hash });
  return formatCookie("", { appUrl: addresses.appUrl, maxAge: 0 });
}

/**
 * Whether a write request comes from a page of the service itself: a cookie alone doesn't show that the user intended
 * it.
 */
export function isFromOwnPage(request: Request, appUrl: string): boolean {
  const origin = request.headers.get("Origin");
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin") return false;
  return origin === null ? site === "same-origin" : origin === new URL(appUrl).origin;
}

/**
 * Whether a browser without a cookie may be signed in: it withholds `SameSite=Strict` cookies if another site linked
 * here. Reloading from our own page sends them.
 */
export function mayHoldBackCookie(request: Request): boolean {
  return request.method === "GET" && request.headers.get("Sec-Fetch-Site") === "cross-site";
}

function formatCookie(value: string, { appUrl, maxAge }: { readonly appUrl: string; readonly maxAge: number }): string {
  const secure = isReachedByTls(appUrl) ? "; Secure" : "";
  return `${cookieName(appUrl)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

function isReachedByTls(appUrl: string): boolean {
  return appUrl.startsWith("https:");
}

// Over TLS, don't accept the plain name as well: a page on a sibling host may set it.
function cookieName(appUrl: string): string {
  return isReachedByTls(appUrl) ? SECURE_COOKIE : COOKIE;
}

function readCookie(header: string, appUrl: string): string | undefined {
  const expected = cookieName(appUrl);
  for (const part of header.split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === expected && value !== undefined && /^[0-9A-Za-z]{20,64}$/.test(value)) return value;
  }
  return undefined;
}
