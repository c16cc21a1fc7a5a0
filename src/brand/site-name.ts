import { textContent } from "domutils";
import { titleOf, type PageDocument } from "./document.ts";
import type { LogoFinding } from "./findings.ts";
import type { SitePage } from "./page/site-page.ts";
import { parseJson } from "../base/json.ts";
import { commonTitlePart, titleParts } from "../base/title.ts";

const LONGEST_NAME = 60;

type TitledPage = Pick<SitePage, "document">;

/** Finds the site's name: in its metadata, or else the common part of its titles, or else the name of its logo. */
export function findSiteName(pages: readonly TitledPage[], logos: readonly LogoFinding[]): string | null {
  const [home] = pages;
  if (home === undefined) return null;
  const title = titleOf(home.document);
  const alt = logos.find(({ kind }) => kind === "logo")?.alt?.replace(/\s*\b(?:logo|home ?page|home)\b\s*/gi, " ");
  const names = [
    metaOf(home, "property", "og:site_name"),
    findOrganizations(home.document).find(({ name }) => name !== undefined)?.name,
    metaOf(home, "name", "application-name"),
    commonTitlePart(
      title,
      pages.map(({ document }) => titleOf(document)),
    ),
    alt,
    titleParts(title)[0],
  ];
  return (
    names
      .map((name) => name?.trim())
      .find((name) => name !== undefined && name !== "" && name.length <= LONGEST_NAME) ?? null
  );
}

function metaOf({ document }: TitledPage, attribute: string, value: string): string | undefined {
  return document.elements.find(({ name, attribs }) => name === "meta" && attribs[attribute] === value)?.attribs[
    "content"
  ];
}

/** The organization behind the site, from a page's structured data. */
interface Organization {
  readonly name: string | undefined;
  /** As written. */
  readonly logo: string | undefined;
}

const DEEPEST = 6;
const ORGANIZATIONS = /Organization|Corporation|LocalBusiness|Restaurant|Store|Brand|NGO|School|Publisher/;

/** Organizations in a page's JSON-LD, in document order. Invalid JSON is skipped, as search engines do. */
export function findOrganizations(page: PageDocument): readonly Organization[] {
  return page.elements
    .filter(({ name, attribs }) => name === "script" && attribs["type"]?.toLowerCase() === "application/ld+json")
    .flatMap((element) => collect(parseJson(textContent(element)), 0));
}

function collect(value: unknown, depth: number): readonly Organization[] {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, depth + 1));
  const record: Readonly<Record<string, unknown>> = { ...value };
  const type = Array.isArray(record["@type"]) ? record["@type"].join(" ") : record["@type"];
  const inner = Object.values(record).flatMap((item) => collect(item, depth + 1));
  if (typeof type !== "string" || !ORGANIZATIONS.test(type)) return inner;
  return [{ name: wordsOf(record["name"]), logo: addressOf(record["logo"]) }, ...inner];
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function addressOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return addressOf(value[0]);
  if (typeof value !== "object" || value === null) return wordsOf(value);
  const record: Readonly<Record<string, unknown>> = { ...value };
  return wordsOf(record["url"]) ?? wordsOf(record["contentUrl"]) ?? wordsOf(record["@id"]);
}
