import { WRITTEN_SITES, type WrittenSite } from "../../brand/corpus/written-sites.ts";

/**
 * The sites that `npm test` renders in a browser: one for each known problem with a header, a scheme or a logo. `npm
 * run test:brand` renders all sites of the corpus, including new ones.
 */
const SAMPLE: Readonly<Record<string, string>> = {
  "dark-header-law": "a dark header on light pages",
  "theme-pair-observatory": "light and dark, by the system",
  "dark-first-tool": "dark until somebody asks for light",
  "rtl-souk": "written from right to left",
  "tailwind-apiary": "utility classes, and no name says what is what",
  "hero-overlay": "a header without a ground of its own, over a picture",
  "retro-desk": "a page that is a window on a desk",
  "spacer-motel": "a header that is a row of the table that the page is",
};

/** The same for logos, which are compared by pixel. */
const LOGO_SAMPLE: Readonly<Record<string, string>> = {
  "hero-image-lodge": "a header that lies over the picture after it, and a white logo",
  "five-brewery": "dark for everyone, with styles that know light, too",
  "component-kit-crm": "a logo for each scheme, shown by classes with escapes",
};

const ASKED = process.env["IMPRINT_SITES"];

/** Whether to render each page of a site in each scheme, rather than in turns. */
export const SHOWS_ALL = ASKED !== undefined;

/** The sample; with `IMPRINT_SITES=all` every written site, with names (`orbit-coach,tinytrail`) these. */
export const SHOWN_SITES = select(SAMPLE);
export const LOGO_SITES = select(LOGO_SAMPLE);

function select(sample: Readonly<Record<string, string>>): readonly WrittenSite[] {
  if (ASKED === "all") return WRITTEN_SITES;
  return (ASKED?.split(",") ?? Object.keys(sample)).map(find);
}

function find(name: string): WrittenSite {
  const site = WRITTEN_SITES.find((known) => known.name === name);
  if (site === undefined) throw new Error(`There is no site ${name}.`);
  return site;
}
