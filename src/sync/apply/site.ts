import { ImprintError, messageOf } from "../../base/error.ts";
import { attempt } from "../../base/outcome.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { BrandKit, ImprintApi, Site } from "../../client/api.ts";
import { refusalOf } from "../../client/learner.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import type { BrandKitBody, SiteCreateBody } from "../../contract/operations/content.ts";
import { siteBodyOf } from "../../contract/records.ts";
import { isSameColor } from "../../brand/drift.ts";
import { mapFrame } from "../../brand/frame/map-frame.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import type { ApplyContext } from "../apply.ts";
import { isSameBrandKit, type BrandKitChange, type Plan, type SiteChange } from "../changes.ts";
import type { DesiredBrandKit } from "../desired.ts";
import { hashKit, readKit } from "../own-records.ts";
import { OTHER_SITE, REFUSED_KIT } from "../plan/site.ts";
import { ifAnswered } from "../seen.ts";
import { refusedKit, refusedRecord, TOO_LARGE } from "../state.ts";
import type { Addresses } from "./assets.ts";

/** Returns the ID of the site; `undefined` if it could not be created, so that pages are published without one. */
export async function applySite(change: SiteChange, context: ApplyContext): Promise<string | undefined> {
  const { api, store, records, onOutcome } = context;
  if (change.kind === "blocked") {
    onOutcome?.({ resource: "site", ...change, status: "skipped" });
    return undefined;
  }
  const { wanted: wantedSite } = change;
  const remember = (siteId: string) => store.rememberRecord("sites", { siteId, wantedSite });
  if (change.kind === "keep") {
    const { kind, name, reason, known } = change;
    remember(known.id);
    records.found("sites", known);
    onOutcome?.({ resource: "site", kind, name, reason, status: "done" });
    return known.id;
  }
  let id: string | undefined;
  const outcome = await attempt({ resource: "site", ...change }, async () => {
    const body = siteBodyOf(change.desired);
    if (change.kind === "create") await store.announceRecord("sites", change.namesakes, context.clock.now());
    const site =
      change.kind === "create"
        ? await api.sites.create(body)
        : await api.sites.update(
            change.known.id,
            { ...body, brandKitId: change.known.brandKitId },
            { ifMatch: change.known.version },
          );
    if (change.kind === "create" && site.mayBeOther === true) {
      const reason = `the service returned its existing site "${site.name ?? site.id}" instead of creating one`;
      store.refuse(refusedRecord("site"), reason, "record");
      return { kind: "blocked", reason, hint: OTHER_SITE, counts: "never", status: "skipped" };
    }
    id = site.id;
    remember(id);
    records.wrote("sites", shownSite(site, body));
    return { url: site.url };
  });
  onOutcome?.(outcome);
  return id;
}

/** Returns the site after a write; `undefined` if the response doesn't contain everything that was sent. */
function shownSite(site: Site, body: SiteCreateBody): Site | undefined {
  const shown: Readonly<Record<string, unknown>> = { ...site };
  const isShown = ([field, value]: [string, unknown]) => shown[field] === value || value === undefined;
  return Object.entries(body).every(isShown) ? site : undefined;
}

interface BrandKitContext extends ApplyContext {
  readonly addresses: Addresses;
  readonly siteId: string | undefined;
}

/** Creates or changes the brand kit and attaches it to the site. */
export async function applyBrandKit(plan: Plan, context: BrandKitContext): Promise<void> {
  const { brandKit: change } = plan;
  if (change === undefined) return;
  if (change.kind === "blocked") {
    const { known, ...blocked } = change;
    if (known !== undefined) context.records.found("brandKits", known);
    context.onOutcome?.({ resource: "brand kit", ...blocked, status: "skipped" });
    return;
  }
  const outcome = await attempt({ resource: "brand kit", ...change }, async () => {
    const waits = change.kind === "keep" ? undefined : waitForFiles(change.desired, plan, context);
    if (waits !== undefined) return { kind: "blocked", ...waits, counts: "never", status: "skipped" };
    const kit = change.kind === "keep" ? change.known : await sendKit(change, plan, context);
    if (change.kind === "keep") context.records.found("brandKits", kit);
    else rememberSent(kit, change, context.store);
    await attach(kit, plan, context);
    const { hash = "", ...before } = context.store.ids.brandKit ?? {};
    const values = change.kind === "keep" ? { ...before, hash } : await describeSent(kit, change, context.api);
    const brandKit = { ...values, id: kit.id, attachedTo: context.siteId };
    context.store.rememberRecord("brandKits", { brandKit });
    return {};
  });
  context.onOutcome?.(outcome);
}

// The run may be interrupted before its next request, and then may leave nothing but the lock file.
function rememberSent({ id }: BrandKit, { name, desired }: KitWrite, store: ApplyContext["store"]): void {
  const { hash, brandHash } = desired;
  const { brandKit: before } = store.ids;
  const attachedTo = before?.id === id ? before.attachedTo : undefined;
  store.rememberRecord("brandKits", { brandKit: { id, name, hash, brandHash, attachedTo } });
}

async function describeSent(kit: BrandKit, { name, desired }: KitWrite, api: ImprintApi) {
  const { hash, brandHash } = desired;
  const [shown, sent] = [await hashShown(kit, api), hashBody(desired)];
  return { name, hash, brandHash, shown, sent: sent === shown ? undefined : sent };
}

function hashBody({ body: { colors = [], fonts = [], logos = [] } }: DesiredBrandKit): string | undefined {
  return hashKit({ colors, fonts, logos });
}

// Some hosts respond to a write only with an id, and show a kit only in their list.
async function hashShown(kit: BrandKit, api: ImprintApi): Promise<string | undefined> {
  const hash = hashKit(await readKit(kit, api));
  if (hash !== undefined || !api.capabilities.operations.has("brandKits.list")) return hash;
  const listed = (await ifAnswered(api.brandKits.list()))?.items.find(({ id }) => id === kit.id);
  return listed && hashKit(listed);
}

// The next run sends a file again that was too large. A kit that was sent without it would be kept then.
function waitForFiles({ assets }: DesiredBrandKit, plan: Plan, { store, state }: BrandKitContext) {
  const isNew = (hash: string) => store.refused[hash]?.startsWith(TOO_LARGE) === true && !(hash in state.refused);
  const files = plan.assets.filter(({ asset: { hash } }) => assets.includes(hash) && isNew(hash));
  if (files.length === 0) return undefined;
  const names = files.map(({ name }) => name).join(", ");
  return {
    reason: `its files are too large for the service: ${names}`,
    hint: "imprint sends the brand kit once the library accepts them, or once you run `imprint publish --accept`.",
  };
}

type KitWrite = Extract<BrandKitChange, { kind: "create" | "update" }>;

async function sendKit(
  change: KitWrite,
  plan: Plan,
  { api, addresses, records, store, clock, signal }: BrandKitContext,
): Promise<BrandKit> {
  const lost = plan.assets.filter(
    ({ kind, asset: { hash } }) => kind === "create" && !addresses.has(hash) && change.desired.assets.includes(hash),
  );
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(", ");
    throw new ImprintError("ASSET_MISSING", `The brand kit uses files that could not be uploaded: ${names}.`, {
      hint: "Fix the problems reported for these files, then run again.",
    });
  }
  const body = fillFiles(change.desired, addresses);
  if (change.kind === "create") await store.announceRecord("brandKits", change.namesakes, clock.now());
  const sending =
    change.kind === "create"
      ? createKit(change, body, { api, store })
      : api.brandKits.update(change.known.id, body, { ifMatch: change.known.version });
  const kit = await sending.catch((error: unknown) => {
    // The same kit would be refused again, unless a limit for requests is raised.
    const status = failureOf(error)?.status;
    const isRefused = status !== 413 && (refusalOf(error) !== undefined || status === 409);
    if (isRefused) store.refuse(change.desired.hash, messageOf(error), "record");
    throw error;
  });
  if (change.kind === "update") await refuseUnchanged(kit, change, { api, store, clock, signal });
  records.wrote("brandKits", isSameBrandKit(kit, body) ? kit : undefined);
  return kit;
}

/** Throws if a service acknowledged a change of the kit's colors and shows all of it as it was. */
async function refuseUnchanged(
  kit: BrandKit,
  { known, desired }: Extract<BrandKitChange, { kind: "update" }>,
  { api, store, clock, signal }: Pick<ApplyContext, "api" | "clock" | "signal" | "store">,
): Promise<void> {
  const { colors = [] } = desired.body;
  const wrong = known.colors.filter(({ role, hex }) =>
    colors.some((color) => color.role === role && !isSameColor(color.hex, hex)),
  );
  if (wrong.length === 0 || api.capabilities.account !== undefined) return;
  if (hashKit(kit) !== undefined && hashKit(kit) !== hashKit(known)) return;
  const canRead = api.capabilities.operations.has("brandKits.get");
  const isAsBefore = await pollUntil(
    async () =>
      hashKit((canRead ? await ifAnswered(api.brandKits.get(known.id)) : undefined) ?? kit) === hashKit(known),
    { isEnough: (isSame) => !isSame || !canRead, pausesMs: SHOWN_AFTER_MS, sleep: (ms) => clock.sleep(ms, signal) },
  );
  if (!isAsBefore) return;
  const { brandKit } = store.ids;
  // It may be applied later, and is no edit then.
  if (brandKit !== undefined) store.rememberRecord("brandKits", { brandKit: { ...brandKit, sent: hashBody(desired) } });
  const shown = wrong.map(({ role, hex }) => `${role} ${hex}`).join(", ");
  const message = `The service confirmed the change to the brand kit, but still shows ${shown}.`;
  store.refuse(desired.hash, message, "record");
  const hint = `Check in the service's dashboard whether a user or the account's plan locks the kit. ${REFUSED_KIT}`;
  throw new ImprintError("SERVICE_REFUSED", message, { hint });
}

/** Creates a kit. If the service keeps only one, and somebody else's was replaced, theirs is stored again. */
async function createKit(
  { desired }: Extract<BrandKitChange, { kind: "create" }>,
  body: BrandKitBody,
  { api, store }: Pick<ApplyContext, "api" | "store">,
): Promise<BrandKit> {
  const { brandKits } = api;
  const other = await findOnlyOther(api, store);
  const kit = await brandKits.create(body);
  if (other === undefined) return kit;
  const ids = new Set((await brandKits.list()).items.map(({ id }) => id));
  // A list that doesn't show the new kit is late.
  const isReplaced = other.id === kit.id || (ids.has(kit.id) && !ids.has(other.id));
  if (!isReplaced) return kit;
  const message = `The service keeps only one brand kit for the account, and replaced ${other.name ?? other.id} with this project's.`;
  store.refuse(desired.hash, message, "record");
  const { id: _, version: __, ...theirs } = other;
  const hint = await brandKits.create({ ...theirs, name: theirs.name ?? "" }).then(
    () => "imprint restored it with the values that the service had shown. Set `brandKit: false` in the options.",
    (error: unknown) =>
      `imprint couldn't restore it: ${messageOf(error)} Restore it in the service's dashboard, and set \`brandKit: false\` in the options.`,
  );
  throw new ImprintError("SERVICE_REFUSED", message, { hint });
}

/** Returns somebody else's kit if it is the only one: a service that keeps one kit shows no others. */
async function findOnlyOther(api: ImprintApi, { ids }: ApplyContext["store"]): Promise<BrandKit | undefined> {
  // Our own service keeps as many as there are.
  if (api.capabilities.account !== undefined || !api.capabilities.operations.has("brandKits.list")) return undefined;
  const [other, ...more] = (await api.brandKits.list()).items.filter(({ id }) => id !== ids.brandKit?.id);
  // Lists may leave out its values.
  return other === undefined || more.length > 0 ? undefined : await readKit(other, api);
}

// A file that the library doesn't accept is omitted rather than stored with an address that doesn't work.
function fillFiles({ body, assets }: DesiredBrandKit, addresses: Addresses): BrandKitBody {
  const isStored = (hash: string) => addresses.get(hash)?.startsWith("data:") === false;
  const isMissing = (url: string) => assets.some((hash) => url.includes(hash) && !isStored(hash));
  const fill = (url: string) => fillPlaceholders(url, (hash) => addresses.get(hash) ?? "");
  const logos = body.logos?.filter(({ url }) => !isMissing(url)).map((logo) => ({ ...logo, url: fill(logo.url) }));
  const fonts = body.fonts?.map((font) => {
    const { url = null } = font;
    return { ...font, url: url === null || isMissing(url) ? null : fill(url) };
  });
  const frame = body.frame && mapFrame(body.frame, fill);
  return { ...body, fonts, logos, ...(frame === undefined ? {} : { frame }) };
}

async function attach(kit: BrandKit, { site }: Plan, context: BrandKitContext): Promise<void> {
  const { api, store, records, siteId, adopts } = context;
  if (site === undefined || site.kind === "blocked" || siteId === undefined) return;
  const attachedTo = site.kind === "keep" ? site.known.brandKitId : undefined;
  // A service that doesn't report a site's kit (strict responses) gets the request only once.
  const { brandKit: before } = store.ids;
  const wasAttached = site.kind === "keep" && before?.id === kit.id && before.attachedTo === siteId;
  if (attachedTo === kit.id || (attachedTo === undefined && wasAttached)) return;
  const body = { ...siteBodyOf(site.kind === "keep" ? site.known : site.desired), brandKitId: kit.id };
  const refusal = refusedKit({ siteId, kitId: kit.id });
  const earlier = adopts ? undefined : store.refused[refusal];
  if (earlier !== undefined) throw new ImprintError("AREA_REFUSED", earlier);
  try {
    records.wrote("sites", shownSite(await api.sites.update(siteId, body), body));
  } catch (error) {
    // A plan or the rights of a key may change, but not what the host can do at all.
    if (LACKS_METHOD.has(failureOf(error)?.status)) store.refuse(refusal, messageOf(error), "record");
    throw error;
  }
}

const LACKS_METHOD: ReadonlySet<number | undefined> = new Set([405, 501]);
