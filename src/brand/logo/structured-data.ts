import { textContent } from "domutils";
import type { PageDocument } from "../page/document.ts";

/** What a page's structured data says of the organization behind the site. */
export interface Organization {
  readonly name: string | undefined;
  /** As written. */
  readonly logo: string | undefined;
}

const DEEPEST = 6;
const ORGANIZATIONS = /Organization|Corporation|LocalBusiness|Restaurant|Store|Brand|NGO|School|Publisher/;

/** Organizations in the JSON-LD of a page, in document order. What is no JSON is passed over, as search engines do. */
export function findOrganizations(page: PageDocument): readonly Organization[] {
  return page.elements
    .filter(({ name, attribs }) => name === "script" && attribs["type"]?.toLowerCase() === "application/ld+json")
    .flatMap((element) => collect(parseJson(textContent(element)), 0));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(value: unknown, depth: number): readonly Organization[] {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, depth + 1));
  const record: Readonly<Record<string, unknown>> = { ...value };
  const type = Array.isArray(record["@type"]) ? record["@type"].join(" ") : record["@type"];
  const inner = Object.values(record).flatMap((item) => collect(item, depth + 1));
  if (typeof type !== "string" || !ORGANIZATIONS.test(type)) return inner;
  return [{ name: textOf(record["name"]), logo: addressOf(record["logo"]) }, ...inner];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function addressOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return addressOf(value[0]);
  if (typeof value !== "object" || value === null) return textOf(value);
  const record: Readonly<Record<string, unknown>> = { ...value };
  return textOf(record["url"]) ?? textOf(record["contentUrl"]) ?? textOf(record["@id"]);
}
