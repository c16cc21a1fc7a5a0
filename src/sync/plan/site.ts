import { pluralize } from "../../base/pluralize.ts";
import { listFirstNames } from "../../base/list-names.ts";
import { mapFrame } from "../../brand/frame/map-frame.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { knownRemoved, type PagePart } from "../../html/page-parts.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { describeDrift } from "../../brand/drift.ts";
import type { BrandKit, Site } from "../../client/api.ts";
import { titleOf, type FieldName } from "../../contract/fields.ts";
import { homePageOf, siteBodyOf, siteRecord } from "../../contract/records.ts";
import type { Dialect } from "../../contract/dialect.ts";
import { siteNameOf } from "../asset-name.ts";
import { type SiteChange, type Blocked, isSameBrandKit, type BrandKitChange, type Limit } from "../changes.ts";
import type { Desired, DesiredBrandKit, DesiredSite } from "../desired.ts";
import type { Known } from "../known.ts";
import type { SiteWarning } from "../../site/model.ts";
import { isSameHash } from "../lock.ts";
import { hashKit, withTheirName } from "../own-records.ts";
import type { PlanInput } from "../plan.ts";
import { besideSlug } from "../project.ts";
import { describePlaces, groupWarnings } from "../report/warning-groups.ts";
import { refusedRecord } from "../state.ts";

export const OTHER_SITE =
  "Your pages are published without a site. To add them to that site, set `site.name` to its name.";

export const OTHER_BLOG = "To publish to it, set `posts.blog.id` to its ID.";

export function planSite(input: PlanInput): SiteChange | undefined {
  const { desired, known, state, rules } = input;
  if (desired.preview !== undefined) return undefined;
  const { site: wanted } = desired;
  const { name } = wanted;
  const refusal = known.refused.sites;
  if (refusal !== undefined) return { kind: "blocked", name, reason: refusal, counts: "never" };
  const site = known.site;
  if (site === undefined && isUnclear(known, "sites")) {
    return { kind: "blocked", name, ...describeUnclear(known, "sites"), counts: "never" };
  }
  const own = { wanted: textsOf(siteBodyOf(wanted)) };
  const returned = rules.adopt ? undefined : state.refused[refusedRecord("site")];
  if (site === undefined && returned !== undefined) {
    return { kind: "blocked", name, reason: returned, hint: OTHER_SITE, counts: "never" };
  }
  if (site === undefined) {
    const isTaken = known.siteSlugs.has(wanted.slug);
    const slug = isTaken ? besideSlug(wanted, known.owner) : wanted.slug;
    const namesakes = known.namesakes.sites;
    const reason = "the service has no such site";
    return { ...own, kind: "create", name, reason, desired: { ...wanted, slug }, namesakes };
  }
  const theirs = findTheirs(site, input);
  const merged = { ...wanted, ...theirs, slug: site.slug ?? wanted.slug };
  // A field that the service doesn't return can't be compared; it was set when the site was created.
  const shown: Readonly<Record<string, unknown>> = { ...site };
  const changed = Object.entries(merged).flatMap(([field, value]) =>
    (shown[field] ?? value) === value ? [] : [field],
  );
  // Only wanted if the service supports it.
  if (wanted.basePath !== undefined && site.basePath === undefined) changed.push("basePath");
  const change = { ...own, name: merged.name, known: site };
  if (changed.length > 0) return { ...change, kind: "update", reason: reasonOf(changed), desired: merged };
  if (rules.adopt && findOtherKit(input) !== undefined) {
    return { ...change, kind: "update", reason: "its own brand kit is attached again", desired: merged };
  }
  const isAsWanted = Object.keys(theirs).length === 0;
  return { ...change, kind: "keep", reason: isAsWanted ? "nothing changed" : KEPT_THEIRS };
}

function reasonOf(changed: readonly string[]): string {
  const fields: readonly FieldName<typeof siteRecord>[] = siteRecord.full.keyof().options;
  const titles = fields.filter((field) => changed.includes(field)).map((field) => titleOf(siteRecord, field));
  return `its ${titles.join(" and ").toLowerCase()} changed`;
}

// A project that published before owns one of several with its name, and doesn't know which.
function isUnclear({ owner, namesakes, areListsLate }: Known, kind: keyof Known["namesakes"]): boolean {
  return owner.isUncertain || areListsLate === true || (!owner.isFirst && namesakes[kind].length > 1);
}

function describeUnclear({ owner, areListsLate }: Known, kind: string): Pick<Blocked, "reason" | "hint"> {
  const reason = `the service doesn't show which of its ${kind} is this project's`;
  if (owner.isUncertain) return { reason, hint: "Run `imprint adopt`." };
  if (areListsLate === true) return LISTS_LATE;
  return { reason, hint: "Restore imprint.lock.json from git, or give one of them another name." };
}

/** Why nothing is created that the project may have already. */
export const LISTS_LATE = {
  reason: "the service's lists don't show yet what this project has published",
  hint: "Run again in a few minutes.",
} as const;

function textsOf(record: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === "string"));
}

const KEPT_THEIRS =
  "its name or home page was changed on the service and is kept; to set the name, use `site.name` in the options";

/**
 * Returns the fields that somebody changed on the service: the name, and the home page if the project has that page, or
 * if it is a page of somebody else. If the memory is lost, a page of the project doesn't count as theirs, because a root
 * that shows an old page would be worse.
 */
function findTheirs(shown: Site, { desired: { site, pages }, known, state }: PlanInput): Partial<DesiredSite> {
  const before: Readonly<Record<string, unknown>> = state.wantedSite ?? { ...shown, name: site.name };
  const isOthers = (value: unknown) =>
    known.seen.otherPages.some((slug) => slug === value && known.pages.get(slug)?.origin !== "ours");
  const isTheirs = ([field, value]: [string, unknown]) => {
    if (!(field in site)) return false;
    if (field !== "name" && value === homePageOf(shown) && isOthers(value)) return true;
    return (
      value !== before[field] && (field === "name" ? !site.hasFixedName : pages.some(({ slug }) => slug === value))
    );
  };
  return Object.fromEntries(Object.entries(shown).filter(isTheirs));
}

export interface LimitsInput {
  readonly desired: Pick<Desired, "pages" | "warnings" | "blockedFiles">;
  /** Why files such as PDF and RSS are not in the library, if so. */
  readonly withoutFiles: string;
  readonly dialect: Dialect;
  /** Slug of the home page. */
  readonly home: string | undefined;
  /** Whether the service has pages of this project. */
  readonly isPublished: boolean;
  /** Returns the address of a published page, if known. */
  readonly pageUrl: (slug: string) => string | undefined;
  /** Where the first page was not found. */
  readonly tried: string | undefined;
}

const MOST_NAMED = 20;

/** Lock file entry for accepting that the address of pages is unknown. */
export const PAGES_NOT_FOUND = "host pagesUrl";

/** Returns the general limitations of the host. */
export function planLimits(input: LimitsInput): readonly Limit[] {
  const { desired, dialect, home = "index", isPublished, pageUrl, tried } = input;
  const dead = [...planHeldFiles(desired), ...planDeadAddresses(input)];
  // The first page will reveal the rest.
  if (dialect.html === undefined && !isPublished) return dead;
  const places = tried === undefined ? "" : ` (${tried})`;
  const limits: Limit[] = [...dead];
  if (pageUrl(home) === undefined) {
    limits.push({
      kind: "blocked",
      name: "pagesUrl",
      reason: `imprint doesn't know where this service shows pages${places}, so links between pages may not work`,
      hint: 'Set `pagesUrl` to the address of published pages, such as "https://x.example/{slug}". If pages are not public, run `imprint publish --accept` once.',
      counts: "unless accepted",
    });
  }
  return [...limits, ...knownRemoved(dialect).flatMap((part) => planRemoved(part, desired.pages))];
}

function planHeldFiles({ blockedFiles = new Map() }: Pick<Desired, "blockedFiles">): readonly Limit[] {
  return [...blockedFiles].map(([path, why]) => ({ kind: "blocked", resource: "asset", name: `/${path}`, ...why }));
}

/** Whether a warning is about an address that doesn't work on this host, which a limit of the plan reports. */
export function isDeadAddress({ code }: SiteWarning): boolean {
  return code === "file-kept" || code === "form-action";
}

function planDeadAddresses({
  desired,
  withoutFiles,
}: Pick<LimitsInput, "desired" | "withoutFiles">): readonly Blocked[] {
  const groups = groupWarnings(desired.warnings);
  const files = groups.filter(({ code }) => code === "file-kept");
  const forms = groups.filter(({ code }) => code === "form-action");
  const limits = [
    {
      name: "files",
      groups: files,
      reason: `${pluralize(files.length, "file")} can't be published, because ${withoutFiles}; links keep their address on the site, which doesn't work here`,
      hint: "Host these files elsewhere and link to their full addresses, or run `imprint publish --accept` once.",
    },
    {
      name: "form actions",
      groups: forms,
      reason: `${pluralize(forms.length, "form action")} can't work, because published forms submit to their own page`,
      hint: 'Remove `action`, and set the page to show afterwards with `<input type="hidden" name="_next" value="/thank-you/">`, or run `imprint publish --accept` once.',
    },
  ];
  return limits
    .filter((limit) => limit.groups.length > 0)
    .map(({ groups, ...limit }) => ({
      kind: "blocked",
      ...limit,
      details: groups.map((group) => `${group.target ?? group.message}  ${describePlaces(group)}`),
      counts: "unless accepted",
    }));
}

export const PART_NAMES: Readonly<Record<PagePart, string>> = {
  scripts: "scripts",
  styles: "style sheets",
  frames: "frames (<iframe>)",
  forms: "forms",
  drawings: "drawings (<svg>)",
  images: "images (<img>)",
  tables: "tables",
  media: "video and audio",
  buttons: "buttons",
  details: "collapsible sections (<details>)",
  embeds: "embedded files (<object>, <embed>)",
  fonts: "their fonts (@font-face)",
  robots: '<meta name="robots">, so search engines may list pages that you excluded',
  links: "links",
  ids: "IDs, which links point to",
  classes: "classes, which style sheets select",
  redirects: 'redirects (<meta http-equiv="refresh">)',
  language: "their language (<html lang>)",
  titles: "their titles",
  canonical: "their canonical addresses, because it adds another page's",
  indexing: "a listing in search engines, because it adds noindex",
  code: "line breaks in <pre>",
  anchors: "working links to their anchors, because it adds a <base> element",
};

/** What to do if readers may get pages without a part. */
export const ACCEPT_WITHOUT = "If readers don't need them, run `imprint publish --accept` once.";

function planRemoved(part: PagePart, all: Desired["pages"]): readonly Blocked[] {
  const pages = all.filter(({ parts }) => parts.includes(part));
  if (pages.length === 0) return [];
  const names = listFirstNames(
    pages.map(({ slug }) => slug),
    MOST_NAMED,
  );
  const reason = `the service delivers pages without ${PART_NAMES[part]}: ${names}`;
  const without =
    part === "scripts"
      ? "Anything that needs scripts doesn't work on these pages."
      : "The service removes them, or its Content-Security-Policy blocks them.";
  const hint = `${without} ${ACCEPT_WITHOUT}`;
  return [{ kind: "blocked", name: part, reason, hint, counts: "unless accepted" }];
}

/** Returns the ID of the brand kit that somebody attached to the site in place of this project's. */
function findOtherKit({ desired, known, state }: PlanInput): string | undefined {
  const id = known.site?.brandKitId;
  return desired.brandKit === undefined || id === known.brandKit?.id || id === state.brandKit?.id ? undefined : id;
}

export function planBrandKit(input: PlanInput): BrandKitChange | undefined {
  const change = planKit(input);
  if (change?.kind !== "create" && change?.kind !== "update") return change;
  const { name, desired } = change;
  const refusal = input.rules.adopt ? undefined : input.state.refused[desired.hash];
  if (refusal === undefined) return change;
  const known = change.kind === "update" ? { known: change.known } : {};
  return { kind: "blocked", name, reason: refusal, hint: REFUSED_KIT, counts: "never", ...known };
}

function isEdited(kit: BrandKit, before: PlanInput["state"]["brandKit"]): boolean {
  const shown = hashKit(kit);
  return shown !== undefined && before?.shown !== undefined && ![before.shown, before.sent].includes(shown);
}

/** What to do about a kit that the service refused. */
export const REFUSED_KIT =
  "imprint sends it again only if it changes, or with `imprint publish --adopt`. To publish no brand kit, set `brandKit: false`.";

function planKit(input: PlanInput): BrandKitChange | undefined {
  const { desired, known, state, capabilities, rules } = input;
  const ours = desired.brandKit;
  if (ours === undefined) return undefined;
  const { name } = ours.body;
  const refusal = known.refused["brand kits"];
  if (refusal !== undefined) return { kind: "blocked", name, reason: refusal, counts: "never" };
  const kit = known.brandKit;
  if (kit === undefined && isUnclear(known, "brandKits")) {
    return { kind: "blocked", name, ...describeUnclear(known, "brand kits"), counts: "never" };
  }
  const other = rules.adopt ? undefined : findOtherKit(input);
  if (other !== undefined) {
    const reason = `the site uses another brand kit, ${other}, which is kept`;
    return { kind: "blocked", name, reason, hint: OTHER_KIT, counts: "never", ...(kit && { known: kit }) };
  }
  const wanted = rules.adopt ? ours : withTheirName(ours, kit, state);
  const creation = { kind: "create", name, desired: wanted, namesakes: known.namesakes.brandKits } as const;
  if (kit === undefined) return { ...creation, reason: "the service has no such brand kit" };
  const placed = withKnownAddresses(wanted, known.assets);
  const isMoved = hasMoved(wanted, { known, state });
  const isSent = isSameHash(state.brandKit?.hash, wanted.hash);
  const isHidden =
    state.brandKit === undefined && [kit.colors, kit.fonts, kit.logos].every(({ length }) => length === 0);
  if ((isSent && !isMoved) || isHidden || isSameBrandKit(kit, placed)) {
    return { kind: "keep", name, reason: "nothing changed", known: kit };
  }
  const details = describeDrift(kit, placed, { nameOf: createFileNames({ desired, known }) });
  const isOtherFrame =
    details.length === 0 && isSameBrandKit({ ...kit, frame: placed.frame, design: placed.design }, placed);
  const changed = isOtherFrame ? "header, footer or sizes changed" : "colors, fonts or logos changed";
  const what = isSent ? "its files have new addresses" : changed;
  if (!rules.adopt && isEdited(kit, state.brandKit)) {
    const reason = `${what}, but it was edited on the service after imprint published it`;
    return { kind: "blocked", name, reason, details, hint: EDITED_KIT, counts: "never", known: kit };
  }
  if (!capabilities.operations.has("brandKits.put")) {
    const isSameBrand = isOtherFrame || isSameHash(state.brandKit?.brandHash, wanted.brandHash);
    if (isSameBrand && !isMoved) {
      const kept = "header, footer or sizes changed; not sent, because this service can't change a brand kit";
      return { kind: "keep", name, reason: kept, known: kit };
    }
    // The previous one can't be deleted either: it stays in the account, without a site.
    const reason = `${what}; this service can't change a brand kit, so a new one replaces ${kit.id}`;
    return { ...creation, reason, details };
  }
  return { kind: "update", name, reason: what, details, desired: wanted, known: kit };
}

const OTHER_KIT =
  "To use this project's, attach it in the service's dashboard, or run `imprint publish --adopt`. To publish no brand kit, set `brandKit: false`.";

const EDITED_KIT =
  "Copy the edit into your site or the `brandKit` option, then run `imprint publish --adopt` to overwrite it.";

// The kit contains absolute addresses, which become invalid if the library moves to another host.
function hasMoved({ assets }: DesiredBrandKit, { known, state }: Pick<PlanInput, "known" | "state">): boolean {
  return assets.some((hash) => {
    const [before, after] = [state.assets[hash]?.url, known.assets.get(hash)?.url];
    return before !== undefined && after !== undefined && before !== after;
  });
}

function withKnownAddresses(wanted: DesiredBrandKit, assets: ReadonlyMap<string, { readonly url: string }>) {
  const place = <Part extends { readonly url?: string | null | undefined }>(part: Part): Part => {
    const hash = wanted.assets.find((candidate) => part.url?.includes(candidate) === true);
    return { ...part, url: (hash === undefined ? undefined : assets.get(hash)?.url) ?? part.url };
  };
  const { fonts, logos, frame } = wanted.body;
  const fill = (text: string) => fillPlaceholders(text, (hash) => assets.get(hash)?.url ?? renderPlaceholder(hash));
  const placedFrame = frame && mapFrame(frame, fill);
  return { ...wanted.body, fonts: fonts?.map(place), logos: logos?.map(place), frame: placedFrame };
}

/** Returns a function that names a file by its address in the library or its placeholder. */
function createFileNames({ desired, known }: { readonly desired: Desired; readonly known: Known }) {
  return (url: string): string => {
    const own = [...desired.assets].find(([hash]) => url.includes(hash) || known.assets.get(hash)?.url === url);
    if (own !== undefined) return own[1].name;
    const last = URL.parse(url)?.pathname.split("/").at(-1) ?? url;
    return siteNameOf(last);
  };
}
