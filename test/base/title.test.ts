import { expect, it } from "vitest";
import { commonTitlePart } from "../../src/base/title.ts";

it.each<{ case: string; home: string; others: string[]; common: string | undefined }>([
  {
    case: "a site's name after the page's",
    home: "Welcome | Acme Docs",
    others: ["Guide | Acme Docs", "404 | Acme Docs"],
    common: "Acme Docs",
  },
  {
    case: "a site's name before the page's",
    home: "Acme - Home",
    others: ["Acme - About", "Acme - Imprint"],
    common: "Acme",
  },
  {
    case: "a home page with the site's name",
    home: "Acme",
    others: ["About · Acme", "Imprint · Acme"],
    common: "Acme",
  },
  {
    case: "a majority of pages in one language",
    home: "Welcome | Docs",
    others: ["One | Docs", "Two | Docs", "Eins | Doku"],
    common: "Docs",
  },
  { case: "titles with nothing in common", home: "Acme", others: ["About us", "Imprint"], common: undefined },
  {
    case: "two languages with equal shares",
    home: "Welcome | Docs",
    others: ["Willkommen | Doku", "Eins | Doku"],
    common: undefined,
  },
  { case: "a hyphen within a word", home: "Check-in", others: ["Check-out", "Check-up"], common: undefined },
  { case: "only a home page", home: "Welcome | Acme Docs", others: [], common: undefined },
])("for $case, uses what most titles have in common with the home page", ({ home, others, common }) => {
  expect(commonTitlePart(home, [home, ...others])).toBe(common);
});
