import { ImprintError } from "../../base/error.ts";
import { extractBrand } from "../../brand/extract.ts";
import type { BrandFindings } from "../../brand/findings.ts";
import type { ReadAddress } from "../../brand/page/reader.ts";
import { isPublished, readBuiltSite } from "../../site/read-site.ts";
import { createSiteAddresses } from "./site-addresses.ts";

/** What a site says about its brand, and the way in which its files were read. */
export interface FoundBrand {
  readonly findings: BrandFindings;
  readonly read: ReadAddress;
}

/**
 * Looks at a built folder, or at a site by its address.
 *
 * @throws ImprintError `DIST_MISSING`, `DIST_EMPTY`, … for a folder; `PAGE_UNREADABLE` when nothing is at the address
 */
export async function findBrand(place: string): Promise<FoundBrand> {
  return /^https?:\/\//.test(place) ? findBrandAt(new URL(place).href) : findBrandIn(place);
}

async function findBrandIn(folder: string): Promise<FoundBrand> {
  const built = await readBuiltSite(folder);
  const { of, read } = createSiteAddresses(built);
  const pages = built.pages.filter(isPublished);
  const home = pages.find((page) => page.route === "/") ?? pages[0];
  if (home === undefined) throw new ImprintError("DIST_EMPTY", `${folder} holds no HTML page.`);
  return { findings: await extractBrand({ read, home: of(home), pages: pages.map(of) }), read };
}

async function findBrandAt(home: string): Promise<FoundBrand> {
  const findings = await extractBrand({ read: readRemote, home });
  if (findings.pages.length === 0) {
    const reason = findings.problems[0]?.message ?? "It answers nothing.";
    throw new ImprintError("PAGE_UNREADABLE", `${home} can't be read. ${reason}`, {
      hint: "Check the address, or name the built folder instead.",
    });
  }
  return { findings, read: readRemote };
}

const TIMEOUT_MS = 15_000;

async function readRemote(address: string) {
  if (!/^https?:/.test(address)) return undefined;
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) return undefined;
  return {
    content: new Uint8Array(await answer.arrayBuffer()),
    contentType: answer.headers.get("content-type") ?? "",
    address: answer.url,
  };
}
