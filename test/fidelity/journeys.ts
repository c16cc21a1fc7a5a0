import type { Page } from "playwright-core";

/** A reader's steps across several pages, on both the original and the published site. */
export interface Journey {
  readonly name: string;
  /** Route of the page where it starts. */
  readonly start: string;
  /** Returns what the reader saw on the way. */
  travel(page: Page): Promise<readonly string[]>;
  /** What the reader must see on both sites. */
  readonly sees: readonly string[];
}

export const KEEP_ISLAND_OVER_PAGES: Journey = {
  name: "keeps a persisted island while ClientRouter navigates",
  start: "/",
  async travel(page) {
    const seen: string[] = [];
    await page.evaluate("globalThis.isFirstDocument = true");
    for (let press = 0; press < 3; press += 1) await page.getByTestId("stamp").click();
    for (const link of ["to-journeys", "older", "to-write"]) {
      await follow(page, () => page.getByTestId(link).click());
      const document = (await page.evaluate<boolean>("globalThis.isFirstDocument === true"))
        ? "same document"
        : "new document";
      seen.push(`${await headingOf(page)}: ${await page.getByTestId("stamps").innerText()}, ${document}`);
    }
    await page.getByTestId("stamp").click();
    await page.getByTestId("stamps").getByText("4 stamps").waitFor();
    await follow(page, () => page.goBack());
    seen.push(`${await headingOf(page)}: ${await page.getByTestId("stamps").innerText()}`);
    return seen;
  },
  sees: [
    "Journeys 1 to 2 of 5: 3 stamps, same document",
    "Journeys 3 to 4 of 5: 3 stamps, same document",
    "Which line should we take next?: 3 stamps, same document",
    "Journeys 3 to 4 of 5: 4 stamps",
  ],
};

export const WAKE_ISLAND_AFTER_NAVIGATION: Journey = {
  name: "hydrates an island that only the next page has",
  start: "/write/",
  async travel(page) {
    await follow(page, () => page.getByTestId("to-home").click());
    await page.getByTestId("delay").scrollIntoViewIfNeeded();
    await page.locator("astro-island:not([ssr])", { has: page.getByTestId("delay") }).waitFor();
    await page.getByTestId("delay").click();
    await page.getByTestId("delay-minutes").getByText("5 minutes late").waitFor();
    return [await headingOf(page), await page.getByTestId("delay-minutes").innerText()];
  },
  sees: ["The long way round", "Bernina Line: 5 minutes late"],
};

export const CHOOSE_STARLIGHT_LANGUAGE: Journey = {
  name: "changes language and theme with Starlight's selects",
  start: "/guides/units/",
  async travel(page) {
    await page.locator("starlight-theme-select select").first().selectOption("dark");
    await follow(page, () => page.locator("starlight-lang-select select").first().selectOption({ label: "Deutsch" }));
    const theme = await page.evaluate<string>("document.documentElement.dataset.theme");
    return [await headingOf(page), `theme ${theme}`];
  },
  sees: ["Einheiten", "theme dark"],
};

export const READ_STARLIGHT_GUIDE: Journey = {
  name: "navigates from the hero to a guide, selects a tab, and follows a link with a fragment",
  start: "/",
  async travel(page) {
    await follow(page, () => page.getByRole("link", { name: "Make the first table" }).click());
    const heading = await headingOf(page);
    await page.getByRole("tab", { name: "macOS" }).click();
    const command = await page.getByRole("tabpanel").first().innerText();
    await follow(page, () => page.getByRole("link", { name: "units", exact: true }).click());
    const fragment = await page.evaluate<string>("location.hash");
    return [heading, command.trim(), `${await headingOf(page)} ${fragment}`];
  },
  sees: ["The first table", "brew install tidewright", "Units #feet"],
};

export const CHOOSE_LANGUAGE: Journey = {
  name: "navigates to a fallback page with a select that sets location.pathname",
  start: "/projects/library/",
  async travel(page) {
    const before = page.url();
    await page.getByTestId("language").selectOption({ label: "de" });
    await page.waitForURL((url) => url.href !== before);
    await page.waitForLoadState("load");
    await page.getByRole("link", { name: "Brenner & Holt" }).click();
    await page.getByText("Häuser, die in Würde altern").waitFor();
    return [await headingOf(page), await page.evaluate<string>("document.documentElement.lang")];
  },
  sees: ["Häuser, die in Würde altern", "de"],
};

export const FOLLOW_REDIRECT: Journey = {
  name: "follows a link to a redirect",
  start: "/",
  async travel(page) {
    await page.getByRole("link", { name: "Join" }).click();
    await page.getByRole("heading", { name: "Membership" }).waitFor();
    return [await headingOf(page)];
  },
  sees: ["Membership"],
};

export const FILL_BASKET: Journey = {
  name: "fills the basket in one framework and shows it in the others",
  start: "/",
  async travel(page) {
    await page.getByTestId("react-add-calendula").scrollIntoViewIfNeeded();
    await page.locator("astro-island:not([ssr])", { has: page.getByTestId("react-add-calendula") }).waitFor();
    await page.getByTestId("react-add-calendula").click();
    await page.getByTestId("react-add-cornflower").click();
    await page.getByTestId("vue-month").scrollIntoViewIfNeeded();
    await page.getByText("2 packets waiting").waitFor();
    const texts = ["preact-count", "solid-postage", "svelte-total", "vue-month"];
    return Promise.all(texts.map((text) => page.getByTestId(text).innerText()));
  },
  sees: [
    "Packets in the basket: 2",
    "£5.35 more for free postage, second class",
    "£4.65 GBP for 2 packets",
    "Sow in March: 2 packets waiting",
  ],
};

/** Navigates to another page and waits for its title. */
async function follow(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await page.title();
  await act();
  await page.waitForFunction(`document.title !== ${JSON.stringify(before)} && document.readyState === "complete"`);
}

function headingOf(page: Page): Promise<string> {
  return page.locator("h1").first().innerText();
}
