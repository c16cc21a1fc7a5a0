import { randomBytes } from "node:crypto";
import * as z from "zod";
import { ImprintError, messageOf } from "../base/error.ts";
import type { Outcome } from "../base/outcome.ts";
import { serviceAddress } from "../base/service-address.ts";
import type { Page } from "../client/api.ts";
import { dialectSchema, type Dialect } from "../contract/dialect.ts";
import { blogLedgerSchema } from "../posts/memory/ledger.ts";
import { assetStateSchema, brandKitStateSchema, pageStateSchema, TOO_LARGE, type State } from "./state.ts";

// The lock file is committed. It records what no host reliably shows: which slugs we assigned, and what on the service
// is ours. The state file in `.imprint/` is a cache of the service; without one, as in CI, the lock file is used.

const lockedPageSchema = pageStateSchema.omit({ version: true, sentTitle: true, formerTitle: true });
const PAGE_FIELDS: ReadonlySet<string> = new Set(Object.keys(lockedPageSchema.shape));

const lockedTargetSchema = z.object({
  /** Address of the service, or `embedded`. */
  service: z.string(),
  /** ID of the account if the service reports it; else a name given here, except for the first one. */
  account: z.string().optional(),
  site: z.string().optional(),
  /** `null` if there may be one with an unknown ID. */
  blog: z.string().nullable().optional(),
  /** `attachedTo` is the site that uses it, which strict responses don't report. */
  brandKit: brandKitStateSchema.optional(),
  /** The learned dialect of the host. */
  dialect: dialectSchema.optional(),
  /** Limitations of the host that somebody accepted with `--accept`. */
  accepted: z.array(z.string()).optional(),
  /** By slug, as last sent. Hashes are truncated to 16 digits, as they only have to differ from older ones. */
  pages: quickTable(lockedPageSchema, isLockedPage).default({}),
  /** Slugs of pages that were deleted: if they come back, they are this project's. */
  deleted: z.array(z.string()).optional(),
  /** Why files and brand kits were refused, by hash, and slugs. */
  refused: z.record(z.string(), z.string()).optional(),
  /**
   * By hash. Only if the library doesn't preserve file names or may not list all files, as files are otherwise
   * recognized by name.
   */
  assets: z.record(z.string(), assetStateSchema).optional(),
  /** IDs of files of others that the library returned in place of storing this project's. They are never deleted. */
  otherFiles: z.array(z.string()).optional(),
});

const lockSchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]).transform(() => 2 as const),
  /** Random ID by which the project's pages, files and posts are recognized on a shared account. */
  project: z
    .string()
    .regex(/^[0-9a-z]{4,32}$/, "must be 4 to 32 lower-case letters and digits")
    .optional(),
  /** The site at the last publish, by which a copied lock file is recognized. */
  writtenFor: z.object({ package: z.string(), site: z.string() }).optional(),
  /** Slug by route. */
  slugs: quickTable(z.string(), (slug) => typeof slug === "string"),
  /** Published posts, by target and blog. Absent in lock files of projects without posts. */
  posts: z.record(z.string(), blogLedgerSchema).optional(),
  /** Routes of pages that were created for posts because the site has none for them. */
  postPages: z.array(z.string()).optional(),
  /** Slugs that pages had before they were renamed, with the routes of these pages. */
  redirects: z.record(z.string(), z.string()).optional(),
  /** What is ours on each service, by address and account. */
  targets: z.record(z.string(), lockedTargetSchema).optional(),
});

/**
 * A table that is validated by the row's schema only if `isSound` rejects a row, to report the problem. Validating
 * thousands of rows by schema takes longer than the rest of a run in which nothing changed.
 */
function quickTable<Row>(row: z.ZodType<Row>, isSound: (value: unknown) => value is Row) {
  const isTable = (value: unknown): value is Readonly<Record<string, Row>> =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isSound);
  return z.unknown().transform((value, context): Readonly<Record<string, Row>> => {
    if (isTable(value)) return value;
    const parsed = z.record(z.string(), row).safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}

function isLockedPage(value: unknown): value is z.infer<typeof lockedPageSchema> {
  if (typeof value !== "object" || value === null || !("hash" in value && "sent" in value)) return false;
  return Object.entries(value).every(([name, field]) => PAGE_FIELDS.has(name) && typeof field === "string");
}

export type Lock = z.infer<typeof lockSchema>;
export type LockedTarget = z.infer<typeof lockedTargetSchema>;

export const EMPTY_LOCK: Lock = { version: 2, slugs: {} };

/**
 * Parses the committed lock file.
 *
 * @throws ImprintError `STATE_UNREADABLE` if it is invalid: a person may have to resolve a merge conflict in it, so it
 * is never replaced silently.
 */
export function parseLock(text: string, file: string): Lock {
  let value: unknown;
  try {
    // Windows editors may add a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
    return lockSchema.parse(value, { jitless: true });
  } catch (error) {
    if (Number(Reflect.get(Object(value), "version")) > EMPTY_LOCK.version) {
      throw new ImprintError("STATE_UNREADABLE", `${file} was written by a newer astro-imprint.`, {
        cause: error,
        hint: "Update astro-imprint.",
      });
    }
    throw new ImprintError("STATE_UNREADABLE", `${file} isn't a valid lock file: ${problemOf(error)}`, {
      cause: error,
      hint: "If it has merge conflicts, keep the file of either side (git checkout --ours imprint.lock.json). Otherwise, restore it from git. Without it, imprint recognizes its own pages only where the service shows their HTML.",
    });
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error).split("\n", 1)[0] ?? "";
  const [issue] = error.issues;
  return issue === undefined ? "its format is unknown" : `${issue.path.join(".") || "it"}: ${issue.message}`;
}

export function renderLock({ version, project, writtenFor, ...tables }: Lock): string {
  const { slugs, postPages, redirects, posts, targets } = tables;
  const sorted = {
    version,
    project,
    writtenFor,
    slugs: sortKeys(slugs),
    postPages,
    redirects: redirects === undefined || Object.keys(redirects).length === 0 ? undefined : sortKeys(redirects),
    posts: posts === undefined ? undefined : sortKeys(posts),
    targets: targets === undefined ? undefined : sortKeys(targets),
  };
  return `${JSON.stringify(sorted, undefined, 2)}\n`;
}

// Rebuilding a record of thousands takes milliseconds, and one from a lock file is already sorted.
function sortKeys<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const keys = Object.keys(record);
  if (keys.every((key, place) => (keys[place - 1] ?? "") <= key)) return record;
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Identifies a target in the lock file. Two accounts on one service are two targets. */
export interface TargetName {
  readonly service: string;
  readonly account: string | undefined;
}

export function findLockedTarget({ targets }: Lock, { service, account }: TargetName): LockedTarget | undefined {
  const all = Object.values(targets ?? {}).filter((each) => isService(each, service));
  const found = targets?.[targetKey({ service, account })] ?? all.find((each) => each.account === account);
  if (account?.startsWith(UNNAMED) === true) return found;
  // Committed before the service reported its account, or with a key that can't read it.
  return found ?? all.find((each) => each.account === undefined);
}

/** Counts the pages published to a service, or to the project's own (`embedded`), with the account that has the most. */
export function countPublished({ targets }: Lock, service: string): number {
  const isWanted = (each: LockedTarget) =>
    service === "embedded" ? each.service.startsWith("embedded:") : isService(each, service);
  const counts = Object.values(targets ?? {})
    .filter(isWanted)
    .map(({ pages }) => Object.keys(pages).length);
  return Math.max(0, ...counts);
}

// An earlier version stored the address as written in the options.
function isService(target: LockedTarget, service: string): boolean {
  return target.service === service || serviceAddress(target.service) === service;
}

const UNNAMED = "unnamed-";

/** Returns the name of another account on a service that doesn't report accounts. */
export function unnamedAccount(number: number): string {
  return `${UNNAMED}${number}`;
}

function targetKey({ service, account }: TargetName): string {
  return account === undefined ? service : `${service}#${account}`;
}

/** Returns a service's dialect as learned with any account. */
export function recallDialect({ targets }: Lock, service: string): Dialect | undefined {
  return Object.values(targets ?? {}).find((each) => isService(each, service) && each.dialect !== undefined)?.dialect;
}

const HASH_DIGITS = 16;

/** Updates the lock with what a run knows about its target. */
export function lockState(lock: Lock, name: TargetName, state: State): Lock {
  const before = findLockedTarget(lock, name);
  const hasPublished = state.siteId !== undefined || state.blogId !== undefined || Object.keys(state.pages).length > 0;
  if (!hasPublished && before === undefined) return lock;
  const { brandKit, refused, assets, deleted = [] } = state;
  const target: LockedTarget = {
    ...name,
    site: state.siteId,
    blog: state.blogId,
    brandKit: brandKit && {
      ...brandKit,
      hash: cut(brandKit.hash),
      brandHash: brandKit.brandHash && cut(brandKit.brandHash),
    },
    dialect: state.dialect && sortKeys(state.dialect),
    accepted: before?.accepted,
    pages: sortKeys(Object.fromEntries(Object.entries(state.pages).map(([slug, page]) => [slug, lockPage(page)]))),
    deleted: deleted.length === 0 ? undefined : deleted.toSorted(),
    refused: Object.keys(refused).length === 0 ? undefined : sortKeys(refused),
    assets: state.locksFiles === true ? sortKeys(lockAssets(assets)) : undefined,
    otherFiles: state.otherFiles?.toSorted(),
  };
  const others = Object.entries(lock.targets ?? {}).filter(([, each]) => each !== before);
  return {
    ...lock,
    project: state.project ?? lock.project,
    targets: { ...Object.fromEntries(others), [targetKey(name)]: target },
  };
}

export interface AfterRun {
  /** Pages that the service listed; `undefined` if they weren't requested. */
  readonly known: ReadonlyMap<string, { readonly record: Page }> | undefined;
  readonly outcomes: readonly Outcome[];
}

/** Returns the lock entries of pages that the run left unchanged or failed to send, which are still valid. */
export function pagesStillLocked(
  locked: LockedTarget | undefined,
  { known, outcomes }: AfterRun,
): LockedTarget["pages"] {
  const deleted = outcomes.filter(
    ({ resource, kind, status }) => resource === "page" && kind === "delete" && status === "done",
  );
  const slugs = new Set(deleted.map(({ name }) => name));
  const holds = ([slug, page]: readonly [string, LockedTarget["pages"][string]]) =>
    known === undefined || (!slugs.has(slug) && isSameRecord(page, known.get(slug)?.record));
  return Object.fromEntries(Object.entries(locked?.pages ?? {}).filter(holds));
}

/** Adds accepted limitations of a host to the lock. */
export function acceptLimits(lock: Lock, name: TargetName, accepted: readonly string[]): Lock {
  return changeTarget(lock, name, { accepted: [...accepted].toSorted() });
}

/** The lock with what is known of a host now. */
export function lockDialect(lock: Lock, name: TargetName, dialect: NonNullable<State["dialect"]>): Lock {
  return changeTarget(lock, name, { dialect: sortKeys(dialect) });
}

function changeTarget(lock: Lock, name: TargetName, change: Partial<LockedTarget>): Lock {
  const target = findLockedTarget(lock, name);
  if (target === undefined) return lock;
  return { ...lock, targets: { ...lock.targets, [targetKey(name)]: { ...target, ...change } } };
}

// Omits when this machine first saw a file, which is local.
function lockAssets(assets: State["assets"]): NonNullable<LockedTarget["assets"]> {
  return Object.fromEntries(Object.entries(assets).map(([hash, { id, url }]) => [hash, { id, url }]));
}

function lockPage(page: State["pages"][string]): LockedTarget["pages"][string] {
  const { id, hash, sent, shown, words, hiddenAs, title, updatedAt } = page;
  const shownHashes = { shown: shown && cut(shown), words: words && cut(words) };
  return { id, hash: cut(hash), sent: cut(sent), ...shownHashes, hiddenAs, title, updatedAt };
}

function cut(hash: string): string {
  return hash.slice(0, HASH_DIGITS);
}

/**
 * Fills in the state from the lock for a run without its own state. The content of `.imprint/` is as new or newer,
 * except for pages, as somebody else may have published and committed since.
 */
export function recallLock(state: State, lock: Lock, target: LockedTarget | undefined): State {
  // An ID that was generated by a run that published nothing proves nothing.
  const hasPublished = state.siteId !== undefined || Object.keys(state.pages).length > 0;
  const project = lock.project ?? (hasPublished ? state.project : undefined);
  if (target === undefined) return { ...state, project };
  const { site, blog, brandKit, dialect, assets, refused, accepted = [] } = target;
  const deleted = [...(target.deleted ?? []), ...(state.deleted ?? [])].filter((slug) => !(slug in state.pages));
  return {
    ...state,
    project,
    siteId: state.siteId ?? site,
    blogId: state.blogId ?? blog ?? ([state.blogId, blog].includes(null) ? null : undefined),
    brandKit: state.brandKit ?? brandKit,
    dialect: { ...dialect, ...state.dialect },
    assets: { ...assets, ...state.assets },
    refused: withoutOldLimits({ ...refused, ...state.refused }, accepted),
    ...(deleted.length > 0 && { deleted: [...new Set(deleted)] }),
    ...(target.otherFiles && { otherFiles: [...new Set([...target.otherFiles, ...(state.otherFiles ?? [])])] }),
    ...(assets === undefined ? {} : { locksFiles: true }),
  };
}

// Somebody may have raised a limit for requests, often a proxy's. Once it is accepted, large files aren't sent in vain.
function withoutOldLimits(refused: State["refused"], accepted: readonly string[]): State["refused"] {
  if (accepted.some((name) => name.startsWith("asset "))) return refused;
  return Object.fromEntries(Object.entries(refused).filter(([, reason]) => !reason.startsWith(TOO_LARGE)));
}

/** Whether two hashes are equal; one may be truncated as in the lock file. */
export function isSameHash(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.startsWith(other) || other.startsWith(one);
}

/** Whether a remembered page is the listed one with its slug; by slug alone if the service has no IDs. */
export function isSameRecord({ id }: { readonly id?: string | undefined }, listed: Page | undefined): boolean {
  return listed !== undefined && (id === undefined || listed.id === undefined || id === listed.id);
}

const PROJECT_ID_BYTES = 5;

/** Generates an ID for a project: eight letters and digits. */
export function newProjectId(): string {
  return BigInt(`0x${randomBytes(PROJECT_ID_BYTES).toString("hex")}`)
    .toString(36)
    .padStart(8, "0");
}

/** Returns the name of a service in the lock file. As that is committed, it must not contain local folders. */
export function lockedServiceOf({
  identity,
  routeSet,
}: {
  readonly identity: string;
  readonly routeSet: string;
}): string {
  return identity.startsWith("embedded:") ? `embedded:${routeSet}` : identity;
}
