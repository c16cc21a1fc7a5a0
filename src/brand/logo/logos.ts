import type { Element } from "domhandler";
import { resolveAddress } from "../document.ts";
import type { BrandFindings, LogoFinding } from "../findings.ts";
import type { Reader } from "../page/reader.ts";
import type { SitePage } from "../page/site-page.ts";
import { findPngSize, findSvgSize } from "./image-size.ts";
import { candidateOf, keyOf, findShownLogos, type LogoCandidate } from "./shown-logo.ts";
import { findOrganizations } from "../site-name.ts";

/** Finds the site's logos and icons, best first. Unreadable files are omitted. */
export async function findLogos(
  pages: readonly SitePage[],
  home: string,
  reader: Reader,
): Promise<BrandFindings["logos"]> {
  const [first] = pages;
  if (first === undefined) return [];
  const shown = pages.map((page) => findShownLogos(page, home));
  // The home page may show a large logo in the middle while other pages have it in their header.
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
      `Expected an image, found ${contentType === "" ? "a file without a type" : contentType}.`,
    );
    return undefined;
  }
  const size = contentType.includes("svg")
    ? findSvgSize(new TextDecoder().decode(file.bytes))
    : findPngSize(file.bytes);
  return { ...candidate, contentType, width: size?.width ?? candidate.width, height: size?.height ?? candidate.height };
}

/** The best tab icon and the best home screen icon linked by the page. */
function findIcons(page: SitePage): readonly LogoCandidate[] {
  const links = page.document.elements.filter(({ name }) => name === "link");
  const icons = links.filter((link) => hasRelation(link, "icon")).toSorted((a, b) => rank(b) - rank(a));
  const touchIcons = links
    .filter((link) => hasRelation(link, "apple-touch-icon"))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const toCandidate = (link: Element, kind: "icon" | "touch-icon"): readonly LogoCandidate[] => {
    const address = resolveAddress(link.attribs["href"] ?? "", page.address);
    const evidence = [`<link rel="${link.attribs["rel"] ?? ""}">`];
    return address === undefined ? [] : [candidateOf(kind, address, { confidence: 0.9, evidence })];
  };
  return [
    ...icons.flatMap((link) => toCandidate(link, "icon")).slice(0, 1),
    ...touchIcons.flatMap((link) => toCandidate(link, "touch-icon")).slice(0, 1),
  ];
}

function hasRelation(link: Element, relation: string): boolean {
  return (link.attribs["rel"] ?? "").toLowerCase().split(/\s+/).includes(relation);
}

/** SVGs rank before bitmaps, larger bitmaps before smaller ones. */
function rank(link: Element): number {
  const isSvg = /svg/i.test(link.attribs["type"] ?? "") || /\.svg(?:[?#]|$)/i.test(link.attribs["href"] ?? "");
  return isSvg ? 10_000 : sizeOf(link);
}

function sizeOf(link: Element): number {
  const sizes = link.attribs["sizes"] ?? "";
  return sizes.toLowerCase() === "any" ? 100 : Number(/^(\d+)x/i.exec(sizes)?.[1] ?? 0);
}
