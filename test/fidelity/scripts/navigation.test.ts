import type { Page } from "playwright-core";
import { describeVisits, lead, whereIs, type ScriptedVisit } from "./describe-visits.ts";

function press(id: string) {
  return (page: Page) => lead(page, () => page.locator(`[data-go='${id}']`).click());
}

/** A button of the home page navigates to a page, and the back button returns. */
function leadsTo(what: string, id: string, place: string): ScriptedVisit {
  return {
    name: `${what} navigates to "${place}", and the back button returns`,
    start: "/",
    act: async (page) => [await press(id)(page), await lead(page, () => page.goBack())],
    sees: [place, "Light by hand"],
  };
}

const VISITS: readonly ScriptedVisit[] = [
  leadsTo("location.href = with query and fragment", "href", "Thank you ?order=7#receipt"),
  leadsTo("location.assign()", "assign", "Your cart"),
  leadsTo("window.location =", "window-location", "Your cart"),
  leadsTo("location.pathname =", "pathname", "Sizes"),
  leadsTo("a template string", "template", "Paper lantern"),
  leadsTo("a route from imported data", "data", "Opal glass globe"),
  leadsTo("a list of routes", "steps", "Sizes"),
  leadsTo("location.origin and a path", "origin", "Your cart ?from=origin"),
  leadsTo("new URL() on location.href", "url", "Thank you ?order=8"),
  leadsTo("a click on a link created by a script", "anchor", "Sizes #large"),
  leadsTo("a small script, which Astro inlines", "small", "Thank you ?order=small"),
  leadsTo("an onclick attribute", "attribute", "Thank you ?order=9"),
  leadsTo("an address on another site", "foreign", "Elsewhere"),
  leadsTo("a route that is a redirect", "basket", "Your cart"),
  // A host that doesn't announce support for such a page doesn't get one.
  { ...leadsTo("a route that the site doesn't have", "missing", "No such lamp"), orReported: /own 404 page/ },
  {
    name: "location.replace() navigates without a history entry",
    start: "/thank-you/",
    act: async (page) => [
      await lead(page, () => page.getByRole("link", { name: "Back to the lamps" }).click()),
      await press("replace")(page),
      await lead(page, () => page.goBack()),
    ],
    sees: ["Light by hand", "Your cart", "Thank you"],
  },
  {
    name: "window.open() opens the page in a new tab",
    start: "/",
    async act(page) {
      const [popup] = await Promise.all([page.waitForEvent("popup"), page.locator("[data-go='open']").click()]);
      return [await whereIs(popup), await whereIs(page)];
    },
    sees: ["Sizes", "Light by hand"],
  },
  {
    name: "history.pushState() of a route can be reloaded",
    start: "/",
    async act(page) {
      await page.locator("[data-go='push']").click();
      const search = await page.evaluate<string>("location.search");
      await page.reload();
      return [search, await whereIs(page)];
    },
    sees: ["?view=detail", "Opal glass globe ?view=detail"],
  },
  {
    name: "history.pushState() of a route is one history entry, which the back button reverts",
    start: "/",
    async act(page) {
      await page.locator("[data-go='push']").click();
      await page.goBack();
      return [await whereIs(page)];
    },
    sees: ["Light by hand"],
  },
  {
    name: "history.replaceState() of query and fragment stays on the page",
    start: "/",
    async act(page) {
      await page.locator("[data-go='query']").click();
      const text = await page.getByTestId("pushed").innerText();
      await page.reload();
      return [text, await whereIs(page)];
    },
    sees: ["A moss shade softens the light of 2785 kelvin by 40 percent. #shelf", "Light by hand ?shade=moss#shelf"],
  },
  {
    name: "a relative address is resolved against the page's route",
    start: "/product/brass/",
    act: async (page) => [await press("relative")(page), await lead(page, () => page.goBack())],
    sees: ["Your cart", "Brass reading lamp"],
  },
  {
    name: "a GET form navigates to the results",
    start: "/",
    async act(page) {
      await page.getByRole("textbox", { name: "Search" }).fill("paper");
      const place = await lead(page, () => page.getByRole("button", { name: "Find" }).click());
      return [place, await page.getByTestId("results").innerText(), await lead(page, () => page.goBack())];
    },
    sees: ["Search ?q=paper", "Paper lantern", "Light by hand"],
  },
  {
    name: "navigate() of ClientRouter changes the page in the same document",
    start: "/club/",
    async act(page) {
      await page.evaluate("globalThis.isFirst = true");
      const place = await press("navigate")(page);
      const isFirst = await page.evaluate<boolean>("globalThis.isFirst === true");
      return [place, isFirst ? "same document" : "new document", await lead(page, () => page.goBack())];
    },
    sees: ["The rules #first", "same document", "The club"],
  },
  {
    name: "a script reads the page's own path after ClientRouter changed the page",
    start: "/club/",
    async act(page) {
      const section = () => page.evaluate<string>("document.body.dataset.section");
      return [await section(), await press("navigate")(page), await section()];
    },
    sees: ["club", "The rules #first", "club"],
  },
  {
    name: "a GET form navigates with ClientRouter",
    start: "/club/",
    act: async (page) => [await press("form")(page), await lead(page, () => page.goBack())],
    sees: ["The rules ?rule=2", "The club"],
  },
];

describeVisits({ title: "scripts that navigate", folder: "test/sites/lamp-shop", visits: VISITS });
