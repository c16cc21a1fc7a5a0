import type { Element } from "domhandler";
import type { BrandFindings, LogoFinding, LogoKind } from "../findings.ts";
import { resolveAddress } from "../page/address.ts";
import { parentOf } from "../page/document.ts";
import type { Look } from "../page/look.ts";
import type { Reader } from "../page/reader.ts";
import type { SitePage } from "../page/site-page.ts";
import { roundConfidence } from "../vote/tally.ts";
import { findIcons } from "./icons.ts";
import { findPngSize, findSvgSize, numberOf } from "./image-size.ts";
import { renderInlineSvg } from "./inline-svg.ts";
import { readLogoSignals } from "./logo-signals.ts";
import type { LogoSignals } from "./logo-signals.ts";
import { findOrganizations } from "./structured-data.ts";

/** A picture that could be the logo, before it was read. */
export interface LogoCandidate extends Omit<LogoFinding, "contentType"> {
  readonly contentType?: string;
}

/** The site's logos and icons, the best first. Files that can't be read are left out. */
export async function findLogos(pages: readonly SitePage[], home: string, reader: Reader): Promise<BrandFindings["logos"]> {
  const [first] = pages;
  if (first === undefined) return [];
  const shown = pages.map((page) => findShownLogos(page, home));
  // The home page may show its logo large in the middle, where other pages have it in their header.
  const pictures = shown.find((candidates) => candidates.length > 0) ?? [];
  const organizations = pages.flatMap(({ address, document }) =>
    findOrganizations(document).flatMap(({ logo }): LogoCandidate[] => {
      const target = logo === undefined ? undefined : resolveAddress(logo, address);
      return target === undefined ? [] : [candidateOf("organization", target, { confidence: 0.8, evidence: ["structured data (JSON-LD)"] })];
    }),
  );
  const candidates = unique([...pictures, ...organizations.slice(0, 1), ...findIcons(first)]);
  const found = await Promise.all(candidates.map((candidate) => complete(candidate, reader)));
  return found.flatMap((logo) => logo ?? []);
}

export function candidateOf(
  kind: LogoKind,
  address: string,
  finding: Pick<LogoFinding, "confidence" | "evidence">,
): LogoCandidate {
  return { kind, source: { kind: "address", address }, width: null, height: null, alt: null, ...finding };
}

function unique(candidates: readonly LogoCandidate[]): readonly LogoCandidate[] {
  return [...new Map(candidates.toReversed().map((candidate) => [keyOf(candidate), candidate])).values()].toReversed();
}

function keyOf({ source }: Pick<LogoCandidate, "source">): string {
  return source.kind === "svg" ? source.text : source.address;
}

/** The logo as the page shows it, and the one that it shows in the other scheme when that is another one. */
function findShownLogos(page: SitePage, home: string): readonly LogoCandidate[] {
  const { defaultScheme, light, dark } = page.looks;
  const usual = defaultScheme === "light" ? light : dark;
  const other = defaultScheme === "light" ? dark : light;
  const logo = usual === undefined ? undefined : findBest(page, usual, home);
  if (logo === undefined) return [];
  const second = other === undefined ? undefined : findBest(page, other, home);
  if (second === undefined || keyOf(second) === keyOf(logo)) return [logo];
  const [lightLogo, darkLogo] = defaultScheme === "light" ? [logo, second] : [second, logo];
  return [lightLogo, { ...darkLogo, kind: "logo-dark" }];
}

function findBest(page: SitePage, look: Look, home: string): LogoCandidate | undefined {
  const ranked = page.document.elements
    .filter(({ name }) => name === "img" || name === "svg")
    .flatMap((element, order) => {
      const signals = readLogoSignals(element, { address: page.address, home });
      const score = signals === undefined ? 0 : scoreOf(signals, order);
      return signals === undefined || score === 0 || look.styleOf(element).isHidden ? [] : [{ element, signals, score, order }];
    })
    .toSorted((a, b) => b.score - a.score || a.order - b.order);
  for (const { element, signals } of ranked) {
    const candidate = toCandidate(element, signals, { page, look });
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/** 0 when there is no sign of identity. */
function scoreOf({ isHomeLink, isNamedLogo, isInHeader }: LogoSignals, order: number): number {
  const isEarly = order < 3;
  if (!isHomeLink && !(isNamedLogo && (isInHeader || isEarly))) return 0;
  return (isHomeLink ? 3 : 0) + (isNamedLogo ? 2 : 0) + (isInHeader ? 2 : 0);
}

function toCandidate(
  element: Element,
  signals: LogoSignals,
  { page, look }: { readonly page: SitePage; readonly look: Look },
): LogoCandidate | undefined {
  const words = [
    ...(signals.isHomeLink ? ["links to the home page"] : []),
    ...(signals.isNamedLogo ? ["called a logo in the markup"] : []),
    ...(signals.isInHeader ? ["in the header"] : []),
  ];
  const source = sourceOf(element, { page, look });
  if (source === undefined) return undefined;
  return {
    kind: "logo",
    source,
    width: numberOf(element.attribs["width"]) ?? null,
    height: numberOf(element.attribs["height"]) ?? null,
    alt: element.attribs["alt"] ?? element.attribs["aria-label"] ?? null,
    confidence: roundConfidence(0.35 + 0.2 * words.length),
    evidence: words,
  };
}

function sourceOf(
  element: Element,
  { page, look }: { readonly page: SitePage; readonly look: Look },
): LogoFinding["source"] | undefined {
  if (element.name === "svg") {
    const text = renderInlineSvg(element, page.document, look.styleOf(element).color);
    return text === undefined ? undefined : { kind: "svg", text };
  }
  const reference = pictureSource(element, look) ?? element.attribs["src"] ?? "";
  const svg = parseSvgData(reference);
  if (svg !== undefined) return { kind: "svg", text: svg };
  const address = resolveAddress(reference, page.address);
  return address === undefined ? undefined : { kind: "address", address };
}

/** What a `<picture>` around the image shows in the scheme. */
function pictureSource(element: Element, look: Look): string | undefined {
  const parent = parentOf(element);
  if (parent?.name !== "picture") return undefined;
  for (const child of parent.children) {
    if (child.type !== "tag" || child.name !== "source") continue;
    const media = child.attribs["media"] ?? "";
    const isForScheme = media.includes("prefers-color-scheme") && media.includes(look.scheme);
    if (isForScheme) return child.attribs["srcset"]?.trim().split(/[\s,]/)[0];
  }
  return undefined;
}

function parseSvgData(reference: string): string | undefined {
  const match = /^data:image\/svg\+xml(?:;charset=[^;,]+|;utf8)?(;base64)?,(.*)$/is.exec(reference.trim());
  if (match === null) return undefined;
  try {
    return match[1] === undefined ? decodeURIComponent(match[2] ?? "") : Buffer.from(match[2] ?? "", "base64").toString();
  } catch {
    // Neither percent-encoded nor Base64: a browser shows nothing either.
    return undefined;
  }
}

async function complete(candidate: LogoCandidate, reader: Reader): Promise<LogoFinding | undefined> {
  const { source } = candidate;
  if (source.kind === "svg") {
    const size = findSvgSize(source.text);
    return { ...candidate, contentType: "image/svg+xml", width: candidate.width ?? size?.width ?? null, height: candidate.height ?? size?.height ?? null };
  }
  const file = await reader.readBytes(source.address);
  if (file === undefined) return undefined;
  const contentType = file.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!contentType.startsWith("image/")) {
    reader.report(source.address, `A picture was expected, and ${contentType === "" ? "a file without a type" : contentType} was found.`);
    return undefined;
  }
  const size = contentType.includes("svg") ? findSvgSize(new TextDecoder().decode(file.bytes)) : findPngSize(file.bytes);
  return { ...candidate, contentType, width: size?.width ?? candidate.width, height: size?.height ?? candidate.height };
}
