import type { Locator, Page } from "playwright-core";
import { vi } from "vitest";
import { backgroundWidth, brokenImages, describeVisits, lead, type ScriptedVisit } from "./describe-visits.ts";

async function menuOf(page: Page): Promise<readonly string[]> {
  const texts = ["is-home", "section"].map((id) => page.getByTestId(id).innerText());
  const current = await page.locator("#menu [aria-current]").allInnerTexts();
  return [...(await Promise.all(texts)), `current: ${current.join(", ")}`];
}

/**
 * Address of the tab that Ctrl+click opens. Playwright fails to report one in twenty of them, regardless of the page, so
 * the browser itself is asked.
 */
async function openInTab(page: Page, link: Locator): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo: own } = await session.send("Target.getTargetInfo");
  await link.click({ modifiers: ["ControlOrMeta"] });
  const isTab = ({ targetId, browserContextId, url }: typeof own): boolean =>
    targetId !== own.targetId && browserContextId === own.browserContextId && url.startsWith("http");
  return vi.waitFor(async () => {
    const { targetInfos } = await session.send("Target.getTargets");
    return targetInfos.find(isTab)?.url ?? Promise.reject(new Error("There is no tab."));
  }, 5000);
}

const VISITS: readonly ScriptedVisit[] = [
  {
    name: "results that a script renders from application/json show their pictures and link to their pages",
    start: "/search/",
    async act(page) {
      const results = await page.getByTestId("results").innerText();
      const images = await brokenImages(page);
      const place = await lead(page, () => page.getByRole("link", { name: "Opal glass globe" }).click());
      return [...results.split("\n"), images, place, await lead(page, () => page.goBack())];
    },
    sees: ["Brass reading lamp", "Paper lantern", "Opal glass globe", "0 broken images", "Opal glass globe", "Search"],
  },
  {
    name: "the menu of a client:only island shows its pictures and links to its pages",
    start: "/islands/",
    async act(page) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "The brass one" }).waitFor();
      const images = await brokenImages(page);
      const place = await lead(page, () => page.getByRole("link", { name: "The glass one" }).click());
      return [images, place, await lead(page, () => page.goBack())];
    },
    sees: ["0 broken images", "Opal glass globe ?from=menu#top", "Menus"],
  },
  {
    name: "an island's link without a trailing slash leads to its page",
    start: "/islands/",
    async act(page) {
      await page.getByRole("button", { name: "Menu" }).click();
      return [await lead(page, () => page.getByRole("link", { name: "All sizes" }).click())];
    },
    sees: ["Sizes"],
  },
  {
    name: "a link rendered by a script opens its page in a new tab",
    start: "/search/",
    async act(page) {
      const address = await openInTab(page, page.getByRole("link", { name: "Paper lantern" }));
      await page.goto(address);
      return [await page.locator("h1").innerText()];
    },
    sees: ["Paper lantern"],
  },
  {
    name: "a button of an island assigns a route",
    start: "/islands/",
    act: async (page) => [await lead(page, () => page.getByRole("button", { name: "Take me there" }).click())],
    sees: ["Brass reading lamp"],
  },
  {
    name: "an email in iframe srcdoc shows its picture",
    start: "/letter/",
    async act(page) {
      const width = await page
        .frames()[1]
        ?.evaluate<number>(
          "(() => { const [image] = document.images; return image.decode().then(() => image.naturalWidth, () => 0); })()",
        );
      return [`${width} pixels`];
    },
    sees: ["48 pixels"],
  },
  {
    name: "a link in iframe srcdoc leads to its page",
    start: "/letter/",
    act: async (page) => [
      await lead(page, () => page.frameLocator("iframe[title='Letter of May']").getByRole("link").click()),
    ],
    sees: ["Paper lantern"],
  },
  ...[
    ["button", "Show me", "Paper lantern"],
    ["link", "The brass one", "Brass reading lamp"],
  ].map(([role, name, heading]): ScriptedVisit => ({
    name: `a ${role} rendered by a script in iframe srcdoc leads to its page`,
    start: "/letter/",
    async act(page) {
      // Hosts other than ours don't redirect from the site's own addresses.
      const detours: string[] = [];
      page.on("response", (response) => response.status() === 302 && detours.push(response.url()));
      const card = page.frameLocator("iframe[title='A card']");
      await card.getByRole(role === "link" ? "link" : "button", { name }).click();
      await card.getByRole("heading", { name: heading }).waitFor();
      return [await card.locator("h1").innerText(), ...detours];
    },
    sees: [heading ?? ""],
  })),
  {
    name: "td background shows its picture",
    start: "/letter/",
    act: async (page) => [await backgroundWidth(page, "cell")],
    sees: ["48 pixels"],
  },
  {
    name: "a bundled script that reads location.pathname marks the home page",
    start: "/",
    act: menuOf,
    sees: ["This is the home page", "Section home", "current: Home"],
    orReported: /location\.pathname/,
  },
  {
    name: "a bundled script that reads location.pathname marks another page",
    start: "/product/brass/",
    act: menuOf,
    sees: ["This is another page", "Section product", "current: Brass"],
    orReported: /location\.pathname/,
  },
];

describeVisits({ title: "content rendered by scripts", folder: "test/sites/lamp-shop", visits: VISITS });
