import type { Page } from "playwright-core";
import { describeVisits, lead, whereIs, type ScriptedVisit } from "./describe-visits.ts";

const RESULT = ".pagefind-ui__result-link";

/** Types into Pagefind's interface, returns what was found, and follows one result there and back. */
async function searchFor(page: Page, { words, result }: { readonly words: string; readonly result: string }) {
  await page.locator(".pagefind-ui__search-input").fill(words);
  await page.locator(RESULT).first().waitFor();
  const found = await page.locator(RESULT).allInnerTexts();
  const place = await lead(page, () => page.locator(RESULT).getByText(result, { exact: true }).first().click());
  return [...found, place, await lead(page, () => page.goBack())];
}

function starlight(
  name: string,
  start: string,
  { sees, ...search }: { readonly words: string; readonly result: string; readonly sees: readonly string[] },
): ScriptedVisit {
  return {
    name,
    start,
    async act(page) {
      await page.locator("button[data-open-modal]").click();
      return searchFor(page, search);
    },
    sees,
  };
}

describeVisits({
  title: "Starlight's search",
  folder: "test/sites/harbour-docs",
  visits: [
    starlight("finds the page with a word and navigates to it", "/", {
      words: "Cormorant",
      result: "Dredging",
      sees: ["Dredging", "Dredging", "Dredging", "The harbour"],
    }),
    starlight("finds a section and navigates to it", "/guides/signals/", {
      words: "surging",
      result: "Spring lines",
      sees: ["Mooring", "Spring lines", "Mooring #spring-lines", "Signals"],
    }),
    starlight("searches in the page's language", "/de/", {
      words: "auslaufen",
      result: "Signale",
      sees: ["Signale", "Signale", "Signale", "Der Hafen"],
    }),
  ],
});

describeVisits({
  title: "Starlight's search on a site with a base",
  folder: "test/sites/tide-handbook",
  visits: [
    starlight("finds the page with a word and navigates to it", "/", {
      words: "neaps",
      result: "Springs and neaps",
      sees: [
        "Springs and neaps",
        "Springs and neaps",
        "Tide handbook",
        "Tide handbook",
        "Springs and neaps",
        "Tide handbook",
      ],
    }),
  ],
});

describeVisits({
  title: "Pagefind search in any theme",
  folder: "test/sites/field-notes",
  visits: [
    {
      name: "finds a note with Pagefind's own interface and navigates to it",
      start: "/search/",
      act: (page) => searchFor(page, { words: "lamprey", result: "The heron" }),
      sees: ["The heron", "The heron", "Search the notes"],
    },
    {
      name: "finds a note with a script that imports pagefind.js and navigates to it",
      start: "/find/",
      async act(page) {
        await page.getByRole("searchbox").fill("pebbles");
        const link = page.getByTestId("found").getByRole("link");
        await link.first().waitFor();
        const found = await page.getByTestId("found").innerText();
        await link.first().click();
        await page.getByRole("heading", { name: "First ice" }).waitFor();
        return [found.trim(), await whereIs(page)];
      },
      sees: ["First ice First ice. The pond sang when we threw pebbles over it.", "First ice"],
    },
    {
      name: "finds with pagefind.js what a merged index of the site contains",
      start: "/find/",
      async act(page) {
        await page.getByRole("searchbox").fill("kingcup");
        await page.getByTestId("found").getByRole("link", { name: "A word" }).click();
        await page.getByRole("heading", { name: "The heron" }).waitFor();
        return [await whereIs(page)];
      },
      sees: ["The heron"],
    },
  ],
});
