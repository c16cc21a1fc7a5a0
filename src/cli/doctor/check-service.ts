import { type ErrorCode, ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { bad, good, warning, type Check } from "./check.ts";
import type { Account, Dialect, ImprintApi } from "../../client.ts";
import { connect } from "../../client/connect.ts";
import type { LibraryFinding } from "../../client/library-findings.ts";
import { probeLibrary, type ProbedLibrary } from "../../client/library-probe.ts";
import { patternOf, publishedAddress } from "../../client/published-address.ts";
import { readClockSkew, readPublicPage, readReadiness } from "../../client/without-key.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";
import { decidePlacement } from "../../sync/desired/placement.ts";
import { MAX_INLINE_BYTES } from "../../sync/plan/assets.ts";
import { formatBytes } from "../../sync/report/words.ts";
import type { Target } from "../../target/target.ts";

export interface ServiceContext {
  readonly projectRoot: string;
  readonly target: Target;
  /** What is known of how the host wants to be written to. */
  readonly dialect: Dialect;
  /** `pagesUrl` of the options. */
  readonly pagesUrl: string | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
}

// A person waits: what does not answer soon is reported as it is.
const PATIENCE = { maxAttempts: 2, timeoutMs: 10_000, maxThrottledMs: 10_000 } as const;

/** Asks the service everything that a run depends on. What it finds wrong is a check, not an exception. */
export async function checkService(context: ServiceContext): Promise<readonly Check[]> {
  const { target, signal } = context;
  let api: ImprintApi;
  try {
    api = await connect({ ...target, ...PATIENCE, dialect: context.dialect, signal });
  } catch (error) {
    return failedConnection(error, target);
  }
  try {
    const { routeSet, account } = api.capabilities;
    const checks = [
      good("API key", describeKey(target)),
      ...(await checkHealth(context)),
      good("Route set", routeSet.toUpperCase()),
      checkAccount(account),
      checkClock(await readClockSkew(target.baseUrl, context)),
    ];
    const library = await attempt("Library", async () => checkLibrary(await probeLibrary(api, { signal })));
    const dialect = checkDialect({ ...context.dialect, ...api.dialect });
    return [
      ...checks,
      ...library,
      ...dialect,
      ...(await attempt("Pages", async () => [await checkPages(api, context)])),
    ];
  } finally {
    await api.close();
  }
}

async function checkHealth({ target: { baseUrl }, ...reading }: ServiceContext): Promise<readonly Check[]> {
  const readiness = await readReadiness(baseUrl, reading);
  const mail = checkMail(readiness?.checks?.mail);
  if (readiness?.status !== "damaged") return [good("Service", `${baseUrl} answers`), ...mail];
  return [bad("Service", { message: `${baseUrl} answers, and its database is damaged`, hint: RESTORE_HINT }), ...mail];
}

// Why the mail server takes none is for the owners of the service alone.
const WHY_NO_MAIL =
  "None is lost. The service's log, and its settings in the dashboard, say what the mail server answered.";

/** Nothing of a service that sends no mail. */
function checkMail(state: "ok" | "delayed" | undefined): readonly Check[] {
  if (state === undefined) return [];
  if (state === "ok") return [good("Mail", "sent by a mail server; none is delayed")];
  return [warning("Mail", "waits: the mail server takes none, and the service tries again", WHY_NO_MAIL)];
}

async function attempt(name: string, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    return [bad(name, error)];
  }
}

/** Which check an error of the connection belongs to; every other belongs to the service. */
const PLACE_OF: Partial<Readonly<Record<ErrorCode, string>>> = {
  KEY_MISSING: "API key",
  KEY_MALFORMED: "API key",
  KEY_REJECTED: "API key",
  LOGIN_EXPIRED: "API key",
  LOGIN_LIMITED: "API key",
  PLAN_REQUIRED: "Account",
  OPTIONS_INVALID: "Route set",
};

function failedConnection(error: unknown, target: Target): readonly Check[] {
  if (!(error instanceof ImprintError)) throw error;
  const name = PLACE_OF[error.code] ?? "Service";
  const key = good("API key", describeKey(target));
  const service = good("Service", `${target.baseUrl} answers`);
  if (name === "API key") return isAnswered(error.code) ? [bad(name, error), service] : [bad(name, error)];
  if (error.code === "SERVICE_WRONG_ADDRESS") {
    const remedy =
      "Some services answer so to a key that they don't accept. Solve what is wrong with the service first.";
    return [
      warning("API key", `${describeKey(target)}; nothing shows whether it is accepted`, remedy),
      bad(name, error),
    ];
  }
  return name === "Service" ? [key, bad(name, error)] : [key, service, bad(name, error)];
}

/** Whether the service itself found something wrong with the key. */
function isAnswered(code: ErrorCode): boolean {
  return code === "KEY_REJECTED" || code === "LOGIN_EXPIRED" || code === "LOGIN_LIMITED";
}

function describeKey({ apiKey, accessToken, identity }: Target): string {
  if (accessToken !== undefined) return "none, the login of `imprint login` is used";
  if (identity.startsWith("embedded:")) return "temporary, for the embedded service";
  return apiKey.startsWith("imp_") ? `from IMPRINT_API_KEY, imp_…${apiKey.slice(-4)}` : "from IMPRINT_API_KEY";
}

function checkAccount(account: Account | undefined): Check {
  if (account === undefined) return good("Account", "the service shows neither plan nor limits");
  const { plan, limits, usage } = account;
  const { maxPageBytes, maxAssetBytes, maxPages } = limits;
  const facts = [
    `plan ${plan}`,
    ...(maxPages === undefined ? [] : [`${usage.pages} of ${maxPages} pages`]),
    ...(maxPageBytes === undefined ? [] : [`pages to ${formatBytes(maxPageBytes)}`]),
    ...(maxAssetBytes === undefined ? [] : [`files to ${formatBytes(maxAssetBytes)}`]),
  ];
  if (maxPages !== undefined && usage.pages >= maxPages) {
    return warning("Account", facts.join(", "), "No page can be added. Delete pages that are not needed, or upgrade.");
  }
  return good("Account", facts.join(", "));
}

const LARGEST_SKEW_MS = 60_000;

function checkClock(skewMs: number | undefined): Check {
  if (skewMs === undefined) return good("Clock", "the service does not show its time");
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const place = skewMs > 0 ? "behind" : "ahead of";
  if (Math.abs(skewMs) <= LARGEST_SKEW_MS) return good("Clock", "agrees with the service's");
  const finding = `this machine's clock is ${seconds} s ${place} the service's`;
  return warning("Clock", finding, "Set the clock: it puts posts with a date in the future on hold.");
}

async function checkPages(
  api: ImprintApi,
  { pagesUrl: given, target, logger, signal }: ServiceContext,
): Promise<Check> {
  const { items } = await api.pages.list();
  // The addresses of pages are learned from the list where nobody gave them.
  const known = given ?? target.pagesUrl;
  const pagesAt = known === undefined ? api.capabilities.pagesAt : patternOf(known);
  if (pagesAt === undefined) {
    const hint =
      'Set `pagesUrl`, such as "https://x.example/{slug}": links, canonical and Open Graph addresses are made from it. Without it, the first publish looks for its first page.';
    return warning("Pages", "the service does not say where it shows pages", hint);
  }
  const page = items.find(({ status }) => status === undefined || status === "published");
  if (page === undefined) return good("Pages", `will be shown at ${pagesAt}`);
  const address = publishedAddress(pagesAt, page.slug);
  const html = await readPublicPage(page.slug, { pagesAt, logger, signal });
  if (html !== undefined) return good("Pages", `${address} can be read`);
  return warning("Pages", `${address} can't be read from here`, "Check `pagesUrl`, and open the address in a browser.");
}

/** How the host wants to be written to, where that differs from what is usual; nothing for a host that is as expected. */
export function checkDialect(dialect: Dialect): readonly Check[] {
  const facts = describeDialect(dialect);
  return facts.length === 0 ? [] : [good("Dialect", `${facts.join("; ")} (kept in imprint.lock.json)`)];
}

function describeDialect(dialect: Dialect): readonly string[] {
  const { filePart, pageBody, newPageBody, pageFields, postBody, blogName, siteName, brandKitName } = dialect;
  const { slugMaxLength, slugSeparator, slugHyphens, html, scripts, edits, fileAddresses, unserved = {} } = dialect;
  return [
    ...(isUsual(filePart, "file") ? [] : [`files are sent as "${filePart}"`]),
    ...(pageBody === undefined ? [] : [`changed pages as ${pageBody}`]),
    ...(isUsual(newPageBody, "multipart") ? [] : [`new pages as ${newPageBody}`]),
    ...(isUsual(pageFields, "all") ? [] : [`pages with ${pageFields === "html" ? "HTML only" : "their title only"}`]),
    ...(isUsual(postBody, "html") ? [] : [`posts as "${postBody}"`]),
    ...(isUsual(blogName, "name") ? [] : ["blogs have a title"]),
    ...(isUsual(siteName, "name") ? [] : ["sites have a title"]),
    ...(isUsual(brandKitName, "name") ? [] : ["brand kits have a title"]),
    ...(slugMaxLength === undefined ? [] : [`slugs of at most ${slugMaxLength} characters`]),
    ...(slugSeparator === undefined ? [] : [`slugs with "${slugSeparator}"`]),
    ...(slugHyphens === undefined ? [] : ["slugs without two hyphens in a row"]),
    ...(html === "changed" ? ["HTML is written anew"] : html === "hidden" ? ["HTML is not shown"] : []),
    ...(fileAddresses === undefined
      ? []
      : [
          `file addresses are ${fileAddresses === "signed" ? "signed, and may expire" : "used without their signature"}`,
        ]),
    ...(scripts === undefined ? [] : ["scripts are removed"]),
    ...(edits === undefined ? [] : ["edits can't be seen in lists"]),
    ...Object.entries(unserved).map(([kind, why]) => `${kind} are put into pages, because ${why}`),
  ];
}

function isUsual(value: string | undefined, usual: string): boolean {
  return value === undefined || value === usual;
}

const SERVE_WELL =
  "Pages work, and are larger for it. The service's operator can change it: library files need their true Content-Type and `Access-Control-Allow-Origin: *`.";
const ASK_AGAIN =
  "Run `imprint doctor` again in a moment. Until it can be read, nothing of the kind is loaded from there.";
const DELETE_THEM = "This route set can't delete files. Delete them in the service's dashboard.";
const LOST_FILES = "Put such files on another host and link to them there, or use a service that takes any file.";

/** What was found out about the library, and what follows from it for the pages. */
export function checkLibrary({ findings, left }: ProbedLibrary): readonly Check[] {
  const { words } = decidePlacement(findings);
  return [
    checkImages(findings.images),
    checkDrawings(findings.drawings),
    checkKind("Scripts", words.scripts, findings.scripts),
    checkKind("Fonts", words.fonts, findings.fonts),
    good("Styles", words.styles),
    findings.files.kind === "refused"
      ? warning("Files", words.files, LOST_FILES)
      : checkKind("Files", words.files, findings.files),
    ...(left.length === 0 ? [] : [warning("Probe files", `stay in the library: ${left.join(", ")}`, DELETE_THEM)]),
  ];
}

const LARGEST = formatBytes(MAX_INLINE_BYTES);
const ASK_FOR_IMAGES = `Larger ones are left out. Ask the service's operator to accept them and to serve them to every page.`;

function checkImages({ kind, why }: LibraryFinding): Check {
  if (kind === "served") return good("Images", `from the library, ${why}`);
  return warning("Images", `inlined in each page, up to ${LARGEST} each, because ${why}`, ASK_FOR_IMAGES);
}

function checkDrawings({ kind, why }: LibraryFinding): Check {
  if (kind === "served") return good("SVG", `from the library, ${why}`);
  return warning("SVG", `inlined in each page, up to ${LARGEST} each, because ${why}`, ASK_FOR_IMAGES);
}

// A kind that the library does not take at all is put into the pages by design, and nothing is wrong.
function checkKind(name: string, words: string, { kind }: LibraryFinding): Check {
  if (kind === "served" || kind === "refused") return good(name, words);
  return warning(name, words, kind === "unusable" ? SERVE_WELL : ASK_AGAIN);
}
