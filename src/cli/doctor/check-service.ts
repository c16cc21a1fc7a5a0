import { type ErrorCode, ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { bad, checked, good, warning, type Check } from "./check.ts";
import type { Account, Dialect, ImprintApi } from "../../client.ts";
import { connect } from "../../client/connect.ts";
import type { LibraryFinding, LibraryFindings } from "../../client/library-findings.ts";
import { probeLibrary, type ProbedLibrary } from "../../client/library-probe.ts";
import { patternOf, publishedAddress } from "../../client/published-address.ts";
import { readPublicPage, readReadiness } from "../../client/without-key.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";
import { decidePlacement } from "../../sync/desired/placement.ts";
import { MAX_INLINE_BYTES } from "../../sync/plan/assets.ts";
import { formatBytes } from "../../sync/report/words.ts";
import type { Target } from "../../target/target.ts";

export interface ServiceContext {
  readonly projectRoot: string;
  readonly target: Target;
  /** What is known of the host's dialect. */
  readonly dialect: Dialect;
  /** `pagesUrl` of the options. */
  readonly pagesUrl: string | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
}

// A person is waiting, so slow responses are reported as failures.
const PATIENCE = { maxAttempts: 2, timeoutMs: 10_000, maxThrottledMs: 10_000 } as const;

/** Checks everything on the service that a run depends on. Reports a problem as a check, not as an exception. */
export async function checkService(context: ServiceContext): Promise<readonly Check[]> {
  const { target, signal } = context;
  let api: ImprintApi;
  try {
    api = await connect({ ...target, ...PATIENCE, dialect: context.dialect, signal });
  } catch (error) {
    return failedConnection(error, target);
  }
  try {
    const library = await checked("Library", async () => checkLibrary(await probeLibrary(api, { signal })));
    const { routeSet, account, clockAheadMs } = api.capabilities;
    const checks = [
      good("API key", describeKey(target)),
      ...(await checkHealth(context)),
      // Our own service has both.
      ...(account === undefined ? [good("Route set", routeSet.toUpperCase())] : []),
      checkAccount(account),
      checkClock(clockAheadMs),
    ];
    const dialect = checkDialect({ ...context.dialect, ...api.dialect });
    return [...checks, library, ...dialect, await checked("Pages", () => checkPages(api, context))].flat();
  } finally {
    await api.close();
  }
}

async function checkHealth({ target: { baseUrl }, ...reading }: ServiceContext): Promise<readonly Check[]> {
  const readiness = await readReadiness(baseUrl, reading);
  const mail = checkMail(readiness?.checks?.mail);
  if (readiness?.status !== "damaged") return [good("Service", `${baseUrl} responds`), ...mail];
  return [bad("Service", { message: `${baseUrl} responds, but its database is damaged`, hint: RESTORE_HINT }), ...mail];
}

// The reason is for the owners of the service only.
const WHY_NO_MAIL = "No mail is lost. The service's log and its dashboard settings show the mail server's response.";

/** Returns no check for a service that sends no mail. */
function checkMail(state: "ok" | "delayed" | undefined): readonly Check[] {
  if (state === undefined) return [];
  if (state === "ok") return [good("Mail", "sent by a mail server; no delays")];
  return [warning("Mail", "delayed: the mail server accepts none; the service keeps retrying", WHY_NO_MAIL)];
}

/** The check that a connection error belongs to; all other errors belong to the service. */
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
  const service = good("Service", `${target.baseUrl} responds`);
  if (name === "API key") return isKeyRejected(error.code) ? [bad(name, error), service] : [bad(name, error)];
  if (error.code === "SERVICE_WRONG_ADDRESS") {
    const remedy =
      "Some services respond like this to a key that they don't accept. Fix the problem with the service first.";
    return [warning("API key", `${describeKey(target)}; can't check whether it is accepted`, remedy), bad(name, error)];
  }
  return name === "Service" ? [key, bad(name, error)] : [key, service, bad(name, error)];
}

/** Whether the service itself rejected the key. */
function isKeyRejected(code: ErrorCode): boolean {
  return code === "KEY_REJECTED" || code === "LOGIN_EXPIRED" || code === "LOGIN_LIMITED";
}

function describeKey({ apiKey, accessToken, identity }: Target): string {
  if (accessToken !== undefined) return "none; using the login of `imprint login`";
  if (identity.startsWith("embedded:")) return "temporary, for the embedded service";
  return apiKey.startsWith("imp_") ? `from IMPRINT_API_KEY, imp_…${apiKey.slice(-4)}` : "from IMPRINT_API_KEY";
}

function checkAccount(account: Account | undefined): Check {
  if (account === undefined) return good("Account", "the service reports neither plan nor limits");
  const { plan, limits, usage } = account;
  const { maxPageBytes, maxAssetBytes, maxPages } = limits;
  const facts = [
    `plan ${plan}`,
    ...(maxPages === undefined ? [] : [`${usage.pages} of ${maxPages} pages`]),
    ...(maxPageBytes === undefined ? [] : [`pages up to ${formatBytes(maxPageBytes)}`]),
    ...(maxAssetBytes === undefined ? [] : [`files up to ${formatBytes(maxAssetBytes)}`]),
  ];
  if (maxPages !== undefined && usage.pages >= maxPages) {
    return warning("Account", facts.join(", "), "You can't add pages. Delete pages that you don't need, or upgrade.");
  }
  return good("Account", facts.join(", "));
}

const LARGEST_SKEW_MS = 60_000;

function checkClock(aheadMs: number | undefined): Check {
  if (aheadMs === undefined) return good("Clock", "the service doesn't report its time");
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const place = aheadMs > 0 ? "ahead of" : "behind";
  if (Math.abs(aheadMs) <= LARGEST_SKEW_MS) return good("Clock", "matches the service's");
  const finding = `this machine's clock is ${seconds} s ${place} the service's`;
  return warning("Clock", finding, "Set the clock: it decides which posts are on hold for a future date.");
}

async function checkPages(
  api: ImprintApi,
  { pagesUrl: given, target, logger, signal }: ServiceContext,
): Promise<Check> {
  const { items } = await api.pages.list();
  // If nobody specified page addresses, they are derived from the list.
  const known = given ?? target.pagesUrl;
  const pagesAt = known === undefined ? api.capabilities.pagesAt : patternOf(known);
  if (pagesAt === undefined) {
    const hint =
      'Set `pagesUrl`, such as "https://x.example/{slug}": links, canonical and Open Graph addresses are built from it. Without it, the first publish looks up the address of its first page.';
    return warning("Pages", "the service doesn't report where it serves pages", hint);
  }
  const page = items.find(({ status }) => status === undefined || status === "published");
  if (page === undefined) return good("Pages", `will be served at ${pagesAt}`);
  const address = publishedAddress(pagesAt, page.slug);
  const html = await readPublicPage(page.slug, { pagesAt, logger, signal });
  if (html !== undefined) return good("Pages", `${address} can be read`);
  return warning("Pages", `${address} can't be read from here`, "Check `pagesUrl`, and open the address in a browser.");
}

/** Reports where the host's dialect differs from the defaults; returns no check if it doesn't. */
export function checkDialect(dialect: Dialect): readonly Check[] {
  const facts = describeDialect(dialect);
  return facts.length === 0 ? [] : [good("Dialect", `${facts.join("; ")} (stored in imprint.lock.json)`)];
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
    ...(html === "changed" ? ["HTML is rewritten"] : html === "hidden" ? ["HTML is not shown"] : []),
    ...(fileAddresses === undefined ? [] : [`file addresses ${FILE_ADDRESSES[fileAddresses]}`]),
    ...(scripts === undefined ? [] : ["scripts are removed"]),
    ...(edits === undefined ? [] : ["edits can't be seen in lists"]),
    ...Object.entries(unserved).map(([kind, why]) => `${kind} are inlined in pages, because ${why}`),
  ];
}

const FILE_ADDRESSES = {
  signed: "are signed, and may expire",
  changing: "change in each response, and may expire",
  unsigned: "are used without their signature",
} as const;

function isUsual(value: string | undefined, usual: string): boolean {
  return value === undefined || value === usual;
}

const SERVE_WELL =
  "Pages work, but are larger. The service's operator can fix it: library files need their true Content-Type and `Access-Control-Allow-Origin: *`.";
const ASK_AGAIN =
  "Run `imprint doctor` again in a moment. Until this can be checked, pages load no such files from the library.";
const DELETE_THEM = "This route set can't delete files. Delete them in the service's dashboard.";
const LOST_FILES = "Host these files elsewhere and link to them, or use a service that accepts any file.";

/** Reports what the probe found about the library, and how it affects pages. */
export function checkLibrary({ findings, left }: ProbedLibrary): readonly Check[] {
  const { words } = decidePlacement(findings);
  return [
    ...checkWrites(findings),
    checkPictures("Images", findings.images),
    checkPictures("SVG", findings.drawings),
    checkKind("Scripts", words.scripts, findings.scripts),
    checkKind("Fonts", words.fonts, findings.fonts),
    good("Styles", words.styles),
    findings.files.kind === "refused"
      ? warning("Files", words.files, LOST_FILES)
      : checkKind("Files", words.files, findings.files),
    ...(left.length === 0 ? [] : [warning("Probe files", `left in the library: ${left.join(", ")}`, DELETE_THEM)]),
  ];
}

// The only writes that a check may send.
function checkWrites(findings: LibraryFindings): readonly Check[] {
  const tried = [findings.images, findings.drawings];
  if (!tried.every(({ kind, status }) => kind === "refused" && status === 403)) return [];
  const remedy = "A read-only key can't publish: create one with write permission.";
  return [
    warning(
      "Writing",
      `the service refused the test files that were sent with this key: ${findings.images.why}`,
      remedy,
    ),
  ];
}

const LARGEST = formatBytes(MAX_INLINE_BYTES);
const ASK_FOR_IMAGES = `Larger ones are left out. Ask the service's operator to accept them and to serve them to every page.`;

function checkPictures(name: string, { kind, why }: LibraryFinding): Check {
  if (kind === "served") return good(name, `from the library, ${why}`);
  return warning(name, `inlined in each page, up to ${LARGEST} each, because ${why}`, ASK_FOR_IMAGES);
}

// A kind that the library doesn't accept at all is inlined by design, which is no problem.
function checkKind(name: string, words: string, { kind }: LibraryFinding): Check {
  if (kind === "served" || kind === "refused") return good(name, words);
  return warning(name, words, kind === "unusable" ? SERVE_WELL : ASK_AGAIN);
}
