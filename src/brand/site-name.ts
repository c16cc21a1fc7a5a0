import type { LogoFinding } from "./findings.ts";
import { findOrganizations } from "./logo/structured-data.ts";
import { textOf } from "./page/document.ts";
import type { SitePage } from "./page/site-page.ts";

const LONGEST_NAME = 60;

/** The site's name: from its metadata, else what its titles have in common, else what its logo is called. */
export function findSiteName(pages: readonly SitePage[], logos: readonly LogoFinding[]): string | null {
  const [home] = pages;
  if (home === undefined) return null;
  const alt = logos.find(({ kind }) => kind === "logo")?.alt?.replace(/\s*\b(?:logo|home ?page|home)\b\s*/gi, " ");
  const names = [
    metaOf(home, "property", "og:site_name"),
    findOrganizations(home.document).find(({ name }) => name !== undefined)?.name,
    metaOf(home, "name", "application-name"),
    commonTitle(pages),
    alt,
    titleParts(home)[0],
  ];
  return (
    names
      .map((name) => name?.trim())
      .find((name) => name !== undefined && name !== "" && name.length <= LONGEST_NAME) ?? null
  );
}

function metaOf({ document }: SitePage, attribute: string, value: string): string | undefined {
  return document.elements.find(({ name, attribs }) => name === "meta" && attribs[attribute] === value)?.attribs[
    "content"
  ];
}

function commonTitle(pages: readonly SitePage[]): string | undefined {
  const [first, ...others] = pages.map(titleParts);
  if (first === undefined || others.length === 0) return undefined;
  return first.find((part) => others.every((parts) => parts.includes(part)));
}

function titleParts({ document }: SitePage): readonly string[] {
  const title = document.elements.find(({ name }) => name === "title");
  return title === undefined
    ? []
    : textOf(title)
        .split(/\s+[|–—·•:-]\s+/)
        .map((part) => part.trim());
}
