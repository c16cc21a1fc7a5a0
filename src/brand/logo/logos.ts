import type { BrandFindings, LogoFinding } from "../findings.ts";
import { resolveAddress } from "../page/address.ts";
import type { Reader } from "../page/reader.ts";
import type { SitePage } from "../page/site-page.ts";
import { findIcons } from "./icons.ts";
import { findPngSize, findSvgSize } from "./image-size.ts";
import { candidateOf, keyOf, type LogoCandidate } from "./logo-candidate.ts";
import { findShownLogos } from "./shown-logo.ts";
import { findOrganizations } from "./structured-data.ts";

/** The site's logos and icons, the best first. Files that can't be read are left out. */
export async function findLogos(
  pages: readonly SitePage[],
  home: string,
  reader: Reader,
): Promise<BrandFindings["logos"]> {
  const [first] = pages;
  if (first === undefined) return [];
  const shown = pages.map((page) => findShownLogos(page, home));
  // The home page may show its logo large in the middle, where other pages have it in their header.
  const pictures = shown.find((candidates) => candidates.length > 0) ?? [];
  const organizations = pages.flatMap(({ address, document }) =>
    findOrganizations(document).flatMap(({ logo }): LogoCandidate[] => {
      const target = logo === undefined ? undefined : resolveAddress(logo, address);
      return target === undefined
        ? []
        : [candidateOf("organization", target, { confidence: 0.8, evidence: ["structured data (JSON-LD)"] })];
    }),
  );
  const candidates = unique([...pictures, ...organizations.slice(0, 1), ...findIcons(first)]);
  const found = await Promise.all(candidates.map((candidate) => complete(candidate, reader)));
  return found.flatMap((logo) => logo ?? []);
}

function unique(candidates: readonly LogoCandidate[]): readonly LogoCandidate[] {
  return [...new Map(candidates.toReversed().map((candidate) => [keyOf(candidate), candidate])).values()].toReversed();
}

async function complete(candidate: LogoCandidate, reader: Reader): Promise<LogoFinding | undefined> {
  const { source } = candidate;
  if (source.kind === "svg") {
    const size = findSvgSize(source.text);
    return {
      ...candidate,
      contentType: "image/svg+xml",
      width: candidate.width ?? size?.width ?? null,
      height: candidate.height ?? size?.height ?? null,
    };
  }
  const file = await reader.readBytes(source.address);
  if (file === undefined) return undefined;
  const contentType = file.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!contentType.startsWith("image/")) {
    reader.report(
      source.address,
      `A picture was expected, and ${contentType === "" ? "a file without a type" : contentType} was found.`,
    );
    return undefined;
  }
  const size = contentType.includes("svg")
    ? findSvgSize(new TextDecoder().decode(file.bytes))
    : findPngSize(file.bytes);
  return { ...candidate, contentType, width: size?.width ?? candidate.width, height: size?.height ?? candidate.height };
}
