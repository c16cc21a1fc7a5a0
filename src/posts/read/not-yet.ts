/**
 * All front matter keys and words that decide whether a post may be published; docs/posts-not-yet.md is generated from
 * these tables. Publishing can't be undone, so anything that looks like a switch but is in no table puts the post on
 * hold.
 */

/** Keys whose `true` hides a post, in lowercase without hyphens and underscores. */
export const HIDING_KEYS = [
  ...["draft", "isdraft", "hidden", "ishidden", "hide", "private", "isprivate", "unlisted", "isunlisted"],
  ...["unpublished", "isunpublished", "archived", "isarchived", "trashed", "wip"],
] as const;

/** Keys whose `false` hides a post. */
export const SHOWING_KEYS = [
  ...["published", "publish", "ispublished", "public", "ispublic", "visible", "isvisible", "listed", "islisted"],
] as const;

/** Keys that accept only booleans; any other value is an error. */
export const PURE_SWITCH_KEYS: ReadonlySet<string> = new Set(["draft", "isdraft", "publish", "ispublished"]);

/** Keys whose word determines whether a post is shown. */
export const STATUS_KEYS = [
  ...["status", "state", "visibility", "poststatus", "publishstatus", "publishedstatus", "publishingstatus"],
  ...["publicationstatus", "contentstatus", "workflowstatus", "workflowstate", "draftstatus"],
] as const;

/**
 * Keys whose `false` means nothing, and whose `true` hides a post from a part of the site that the blog doesn't have.
 */
export const PARTLY_HIDING_KEYS: ReadonlySet<string> = new Set([
  ...["hiddenfromhomepage", "hiddenfromsearch", "hiddenfromrss", "hiddenfromfeed", "hiddenfromrelated"],
  ...["hiddeninhomelist", "searchhidden", "robotshidden", "scheduled", "embargo", "embargoed"],
]);

/** Status words that hide a post, in lowercase with spaces. */
export const HIDDEN_WORDS = [
  ...["draft", "drafts", "auto draft", "wip", "work in progress", "in progress", "in work", "writing", "editing"],
  ...["incomplete", "unfinished", "idea", "outline", "planned", "todo", "to do", "backlog"],
  ...["pending", "pending review", "pending publish", "review", "in review", "needs review", "ready for review"],
  ...["scheduled", "future", "queued", "embargoed", "on hold", "coming soon", "not published", "not yet published"],
  ...["private", "hidden", "unlisted", "internal", "confidential", "restricted", "protected", "password"],
  ...["password protected", "members", "members only", "paid", "tiers", "subscribers"],
  ...["archived", "archive", "unpublished", "inactive", "disabled", "expired", "withdrawn", "retracted", "rejected"],
  ...["trash", "trashed", "deleted"],
] as const;

/** Status words that show a post. */
export const SHOWN_WORDS = [
  ...["published", "publish", "public", "live", "active", "visible", "listed", "shown", "released", "posted", "online"],
] as const;

/**
 * Keys of the date that a post shows. A post with a later date waits. `published` is a date in some tools and a boolean
 * in others.
 */
export const DATE_KEYS = [
  ...["pubdate", "publishdate", "publisheddate", "publishedat", "publishedon", "datepublished", "published", "date"],
  // AstroPaper's.
  "pubdatetime",
] as const;

/** Keys of dates that only delay publishing. */
export const WAITING_KEYS = [
  ...["scheduleddate", "scheduledate", "scheduled", "scheduledat", "scheduledfor", "scheduledon", "publishat"],
  ...["publishon", "publishafter", "publishfrom", "releasedate", "releaseat", "releaseon", "golive", "golivedate"],
  ...[
    "goliveat",
    "goliveon",
    "livedate",
    "liveat",
    "embargo",
    "embargoed",
    "embargodate",
    "embargountil",
    "embargoeduntil",
  ],
  ...["hiddenuntil", "draftuntil", "visiblefrom", "availablefrom", "availableat"],
] as const;

/** Keys of the date from which a post is no longer published. */
export const EXPIRY_KEYS = [
  ...["expirydate", "expirationdate", "expires", "expiresat", "expireson", "unpublishdate", "unpublishat"],
  ...["unpublishon", "unpublishedat", "publishuntil", "publisheduntil", "visibleuntil", "archivedat", "archivedon"],
  ...["archivedate"],
] as const;

/** Meaning of a status word. */
export type StatusVerdict = "shown" | "hidden";

/** Normalizes a key to the form used in the tables. */
export function normalizeKey(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** The name of a key as used in the tables, without its parent table: `params.isDraft` is `isdraft`. */
export function nameOfKey(key: string): string {
  return normalizeKey(key.slice(key.lastIndexOf(".") + 1));
}

/** Normalizes a status word to the form used in the tables. */
export function normalizeWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[-_\s]+/g, " ");
}

const VERDICTS: ReadonlyMap<string, StatusVerdict> = new Map([
  ...HIDDEN_WORDS.map((word) => [word, "hidden"] as const),
  ...SHOWN_WORDS.map((word) => [word, "shown"] as const),
]);

/** Returns the meaning of a status word; the author's own mapping takes precedence. */
export function verdictOf(word: string, own: Readonly<Record<string, StatusVerdict>>): StatusVerdict | undefined {
  const normal = normalizeWord(word);
  const mapped = Object.entries(own).find(([each]) => normalizeWord(each) === normal);
  return mapped?.[1] ?? VERDICTS.get(normal);
}

/** Substrings that make a key look like a switch. */
export const SWITCH_NAME = /draft|publish|private|hidden|hidefrom|list|visib|archiv|schedul|embargo|golive/;

// `playlist`, `publisher`, `listen`, and `minimalist` mean something else.
const OTHER_WORDS =
  /publisher|listen|(?:play|check|wish|mail|mailing|short|task|todo|reading|white|black|allow|block|deny|price|wait|waiting|set|track|watch|shopping)list|(?:special|journal|sty|minimal|real|novel|evangel)l?ist/g;

// A number under such a key isn't a boolean.
const COUNTING = /(?:order|size|count|version|number|columns|position|priority|weight|index|limit|id|level|year)$/;

/** Whether a key that is in no table looks as if it hides or shows posts. */
export function looksLikeSwitch(name: string): boolean {
  return SWITCH_NAME.test(name.replaceAll(OTHER_WORDS, ""));
}

/** Whether a key that is in no table may hold a word such as `draft`. */
export function looksLikeStatus(name: string): boolean {
  return looksLikeSwitch(name) || /(?:status|state|stage|workflow)$/.test(name);
}

/** Whether a number under this key is a count. */
export function looksLikeCount(name: string): boolean {
  return COUNTING.test(name);
}

/** Whether a key that is in no table looks like a date that delays publishing. */
export function looksLikePublishingDate(name: string): boolean {
  if (/^un|unpublish|updat|modif|expir|archiv/.test(name)) return false;
  if (/embargo|schedul|golive|hiddenuntil/.test(name)) return true;
  return /publish|pubdate|releasedate/.test(name) && !/until|till|end/.test(name);
}
