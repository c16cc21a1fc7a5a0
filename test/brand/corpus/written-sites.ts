import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as z from "zod";
import { contentTypeOf } from "../../../src/site/content-type.ts";
import type { ReadAddress } from "../../../src/brand/page/reader.ts";
import { DEFAULT_ORIGIN, type ExpectedBrand } from "./corpus-site.ts";

/** Handwritten sites, each with a person's judgment and the place where a browser shows it. */
export interface WrittenSite {
  readonly name: string;
  readonly expected: ExpectedBrand;
  /** The difficulty that it represents. */
  readonly of: string;
  readonly at: Place;
}

/** Selectors of elements in which a browser shows the expected values. */
export interface Place {
  readonly text: string;
  readonly link?: string | undefined;
  readonly heading?: string | undefined;
  /** `none` if the background is an image or a gradient, which only a person can judge. */
  readonly background?: string | undefined;
  /** How to enable dark mode: `media`, or an attribute of the root (`data-theme=dark`). */
  readonly dark?: string | undefined;
  readonly page?: string | undefined;
}

const FOLDER = join(import.meta.dirname, "../../fixtures/brand-sites");

const colors = z.strictObject({
  background: z.string().optional(),
  text: z.string().optional(),
  heading: z.string().optional(),
  link: z.string().optional(),
  primary: z.string().optional(),
  header: z.string().optional(),
  button: z.string().optional(),
});

const truth = z.strictObject({
  of: z.string(),
  light: colors.optional(),
  dark: colors.optional(),
  fonts: z
    .strictObject({ heading: z.string().optional(), body: z.string().optional(), mono: z.string().optional() })
    .optional(),
  logo: z.string(),
  home: z.string().optional(),
  at: z
    .strictObject({
      text: z.string(),
      link: z.string().optional(),
      heading: z.string().optional(),
      background: z.string().optional(),
      dark: z.string().optional(),
      page: z.string().optional(),
    })
    .default({ text: "p", link: "p a", heading: "h1" }),
});

/** All written sites, by name. */
export const WRITTEN_SITES: readonly WrittenSite[] = readdirSync(FOLDER)
  .toSorted()
  .map((name) => {
    const { of, at, light, dark, fonts, logo } = truth.parse(
      JSON.parse(readFileSync(join(FOLDER, name, "truth.json"), "utf8")),
    );
    const expected: ExpectedBrand = {
      logo,
      ...(light === undefined ? {} : { light }),
      ...(dark === undefined ? {} : { dark }),
      ...(fonts === undefined ? {} : { fonts }),
    };
    return { name, of, at, expected };
  });

/** Reads files of a written site like a static file server. */
export function readWrittenSite({ name }: WrittenSite): ReadAddress {
  return async (address) => {
    const { origin, pathname } = new URL(address);
    if (origin !== DEFAULT_ORIGIN) return undefined;
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = join(FOLDER, name, path);
    if (!existsSync(file) || path === "/truth.json") return undefined;
    return { content: readFileSync(file), contentType: contentTypeOf(file) };
  };
}

/** Returns the pages of a built folder, including unlinked ones. */
export function pagesOf({ name }: WrittenSite): readonly string[] {
  return readdirSync(join(FOLDER, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .toSorted()
    .map((file) => new URL(file.replace(/(?:^|\/)index\.html$/, "/"), `${DEFAULT_ORIGIN}/`).href);
}

/** Serves a browser page's requests with files of a written site. */
export async function serveWrittenSite(page: Page, site: WrittenSite): Promise<void> {
  const read = readWrittenSite(site);
  await page.unrouteAll();
  await page.route("**/*", async (route) => {
    const file = await read(route.request().url());
    if (file === undefined) await route.fulfill({ status: 404, body: "" });
    else await route.fulfill({ body: Buffer.from(file.content), contentType: file.contentType });
  });
}

/** Opens a written site in a color scheme, by the system's setting or the site's own switch. */
export async function openWrittenSite(page: Page, { at }: WrittenSite, scheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: at.dark === "media" ? scheme : "light" });
  await page.goto(`${DEFAULT_ORIGIN}${at.page ?? "/"}`);
  await page.addStyleTag({ content: "* { transition: none !important }" });
  const [name, value] = scheme === "dark" ? (at.dark ?? "").split("=") : [];
  if (name === undefined || value === undefined) return;
  await page.evaluate(
    `(document.querySelector("body[${name}]:not([class])") ?? document.documentElement).setAttribute("${name}", "${value}")`,
  );
}
