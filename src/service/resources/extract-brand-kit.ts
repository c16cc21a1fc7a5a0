import { sha256 } from "../../base/hash.ts";
import type { BrandFindings, LogoFinding } from "../../brand/findings.ts";
import type { ReadAddress, ReadResult } from "../../brand/page/reader.ts";
import type { BrandKitBody, BrandKitExtractBody } from "../../contract/operations/content.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import { FetchError } from "../guarded-fetch/guarded-fetch.ts";
import { assetUrl } from "./addresses.ts";
import { createBrandKit } from "./brand-kits.ts";
import type { Context } from "./context.ts";
import { addAsset, inspectFile, type AcceptedFile } from "./library.ts";
import { ProblemError } from "../http/problem.ts";

/** A brand extracted from a site. */
export interface Extracted {
  /** The kit, with the URLs of logos on the site. */
  readonly kit: BrandKitBody;
  readonly findings: BrandFindings;
  /** The images that were read, by URL. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_PAGES = 7;
const MAX_SHEETS = 5 * MAX_PAGES;
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;

/**
 * Extracts a brand from a site's pages and styles, without a browser. Throws `extract_refused` for a non-public URL,
 * and `extract_failed` if there is no page.
 */
export async function extractBrandKit(context: Context, { url, name }: BrandKitExtractBody): Promise<Extracted> {
  // Loaded on demand, since only extraction needs to parse CSS and colors.
  const [{ extractBrand }, { toBrandKit }] = await Promise.all([
    import("../../brand/extract.ts"),
    import("../../brand/kit.ts"),
  ]);
  const home = addressOf(context, url);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const source = createSource(context, { home, signal });
  const findings = await extractBrand({ read: source.read, home, maxPages: MAX_PAGES, signal }).catch(
    (error: unknown) => {
      if (!signal.aborted) throw error;
      throw new ProblemError("extract_failed", {
        detail: `Extraction took longer than ${TIMEOUT_MS / 1000} seconds.`,
        cause: error,
      });
    },
  );
  if (findings.pages.length === 0) throw unreadable(source.homeError());
  const kit = toBrandKit(findings, { name, sourceUrl: url });
  return { kit, findings, pictures: source.pictures };
}

/** Checks the logos and stores their bytes, before the transaction. Skips images that the library doesn't accept. */
export async function storeLogos(
  context: Context,
  { findings, pictures }: Extracted,
): Promise<ReadonlyMap<LogoFinding, AcceptedFile>> {
  const stored = new Map<LogoFinding, AcceptedFile>();
  for (const logo of findings.logos) {
    const file = fileOf(logo, pictures);
    const accepted = file && (await inspectFile(context, file, "images").catch(ignoreRefusal));
    if (file === undefined || accepted === undefined) continue;
    await context.blobs.write(sha256(file.bytes), file.bytes);
    stored.set(logo, accepted);
  }
  return stored;
}

/** Stores the kit, with its logos as library assets. */
export async function saveExtracted(
  context: Context,
  { findings, kit }: Extracted,
  logos: ReadonlyMap<LogoFinding, AcceptedFile>,
): Promise<BrandKit> {
  const { toBrandKit } = await import("../../brand/kit.ts");
  const urls = new Map<LogoFinding, string>();
  for (const [logo, file] of logos) {
    const { asset } = await addAsset(context, file, { alt: logo.alt ?? undefined });
    urls.set(logo, assetUrl(context.addresses, asset));
  }
  const logoUrl = (logo: LogoFinding) =>
    urls.get(logo) ?? (logo.source.kind === "address" ? logo.source.address : undefined);
  return await createBrandKit(
    context,
    toBrandKit(findings, { name: kit.name, sourceUrl: kit.sourceUrl ?? undefined, logoUrl }),
  );
}

function addressOf({ remote }: Context, url: string): string {
  try {
    return remote.checkUrl(url).href;
  } catch (error) {
    throw error instanceof FetchError ? unreadable(error) : error;
  }
}

interface Source {
  readonly read: ReadAddress;
  readonly pictures: Extracted["pictures"];
  /** The reason why the home page could not be read. */
  homeError(): FetchError | undefined;
}

function createSource(
  { remote }: Context,
  { home, signal }: { readonly home: string; readonly signal: AbortSignal },
): Source {
  const pictures = new Map<string, Uint8Array>();
  let homeError: FetchError | undefined;
  let sheets = 0;

  async function read(address: string): Promise<ReadResult | undefined> {
    const limits = { maxBytes: MAX_FILE_BYTES, whenLarger: "refuse" } as const;
    const options = { timeoutMs: TIMEOUT_MS, maxRedirects: MAX_REDIRECTS, signal };
    const fetched = await remote.fetch(address, { ...limits, ...options }).catch((error: unknown) => {
      if (address === home && error instanceof FetchError) homeError = error;
      throw error;
    });
    if (fetched.status !== 200) {
      const error = new FetchError("failed", `The URL returned HTTP status ${fetched.status}.`);
      if (address === home) homeError = error;
      throw error;
    }
    const contentType = fetched.headers["content-type"] ?? "";
    if (contentType.startsWith("text/css") && ++sheets > MAX_SHEETS) {
      throw new FetchError("refused", `Only ${MAX_SHEETS} style sheets are read.`);
    }
    if (contentType.startsWith("image/")) pictures.set(address, fetched.bytes);
    return { content: fetched.bytes, contentType, address: fetched.url };
  }

  return { read, pictures, homeError: () => homeError };
}

function unreadable(error: FetchError | undefined): ProblemError {
  const detail = error?.message ?? "There is no page at this URL.";
  return new ProblemError(error?.kind === "refused" ? "extract_refused" : "extract_failed", {
    detail,
    errors: [{ pointer: "/body/url", detail }],
    cause: error,
  });
}

interface LogoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function fileOf({ kind, source }: LogoFinding, pictures: Extracted["pictures"]): LogoFile | undefined {
  if (source.kind === "svg") return { name: `${kind}.svg`, bytes: Buffer.from(source.text) };
  const bytes = pictures.get(source.address);
  return bytes && { name: new URL(source.address).pathname.split("/").at(-1) ?? kind, bytes };
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ProblemError)) throw error;
  return undefined;
}
