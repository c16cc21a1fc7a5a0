import type { Element } from "domhandler";
import { resolveAddress } from "../page/address.ts";
import type { SitePage } from "../page/site-page.ts";
import { candidateOf, type LogoCandidate } from "./logo-candidate.ts";

/** The best icon for tabs and the best for home screens that the page names. */
export function findIcons(page: SitePage): readonly LogoCandidate[] {
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

/** A drawing that scales comes before pixels, more pixels before fewer. */
function rank(link: Element): number {
  const isSvg = /svg/i.test(link.attribs["type"] ?? "") || /\.svg(?:[?#]|$)/i.test(link.attribs["href"] ?? "");
  return isSvg ? 10_000 : sizeOf(link);
}

function sizeOf(link: Element): number {
  const sizes = link.attribs["sizes"] ?? "";
  return sizes.toLowerCase() === "any" ? 100 : Number(/^(\d+)x/i.exec(sizes)?.[1] ?? 0);
}
