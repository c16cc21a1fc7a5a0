import type { Element } from "domhandler";
import type { LogoFinding } from "../findings.ts";
import { resolveAddress } from "../page/address.ts";
import { parentOf } from "../page/document.ts";
import type { Look } from "../page/look.ts";
import type { SitePage } from "../page/site-page.ts";
import { roundConfidence } from "../vote/tally.ts";
import { numberOf } from "./image-size.ts";
import { renderInlineSvg } from "./inline-svg.ts";
import { keyOf, type LogoCandidate } from "./logo-candidate.ts";
import { readLogoSignals, type LogoSignals } from "./logo-signals.ts";

/** The logo as the page shows it, and the one that it shows in the other scheme when that is another one. */
export function findShownLogos(page: SitePage, home: string): readonly LogoCandidate[] {
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
      const signals = readLogoSignals(element, { address: page.address, home, document: page.document });
      const score = signals === undefined ? 0 : scoreOf(signals, order);
      return signals === undefined || score === 0 || look.styleOf(element).isHidden
        ? []
        : [{ element, signals, score, order }];
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
    const text = renderInlineSvg(element, page.document, look.styleOf);
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
    return match[1] === undefined
      ? decodeURIComponent(match[2] ?? "")
      : Buffer.from(match[2] ?? "", "base64").toString();
  } catch {
    // Neither percent-encoded nor Base64: a browser shows nothing either.
    return undefined;
  }
}
