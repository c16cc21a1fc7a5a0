import type { VisitTraits } from "../store/visit-counts.ts";

// Common browsers only. Most user agents also contain the names of ancestors, so the first match wins.
const BROWSERS = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|Opera|OPiOS|OPT)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS|Focus)\//],
  ["Chrome", /\b(?:Chrome|Chromium|CriOS)\//],
  ["Safari", /\bSafari\/|\b(?:iPhone|iPad).*AppleWebKit/],
] as const;

const SYSTEMS = [
  ["Windows", /\bWindows\b/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** Returns the browser and system in a `User-Agent`; `Other` if unknown. */
export function parseUserAgent(userAgent: string): Pick<VisitTraits, "browser" | "system"> {
  return { browser: findName(BROWSERS, userAgent), system: findName(SYSTEMS, userAgent) };
}

/** Names a browser for its user: `Firefox on Windows`. */
export function nameBrowser(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser === "Other") return "Unknown browser";
  return system === "Other" ? browser : `${browser} on ${system}`;
}

function findName(names: readonly (readonly [string, RegExp])[], userAgent: string): string {
  return names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "Other";
}

const MAX_LENGTH = 100;

/** Returns the traits of a new visit; `search` contains the link parameters for source and campaign. */
export function readTraits({
  host,
  search,
  userAgent,
  device,
}: {
  readonly host: string | undefined;
  readonly search: string;
  readonly userAgent: string;
  readonly device: string;
}): VisitTraits {
  const given = new URLSearchParams(search);
  const read = (name: string) => {
    const text = (given.get(name) ?? "").replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
    return text.slice(0, MAX_LENGTH).toWellFormed().trim();
  };
  // Links to the same place are written by hand: `Newsletter`, `newsletter`. Hosts are in lowercase, too.
  const named = (read("utm_source") || read("ref") || read("source")).toLowerCase();
  return {
    source: named || host?.replace(/^www\./, "") || "direct",
    medium: read("utm_medium"),
    campaign: read("utm_campaign"),
    term: read("utm_term"),
    content: read("utm_content"),
    ...parseUserAgent(userAgent),
    device,
  };
}
