import type { Page } from "playwright-core";
import { describeVisits, lead, writtenText, type ScriptedVisit } from "./describe-visits.ts";

const start = "/en/about";

function choice(id: string, label: string, place: string): ScriptedVisit {
  return {
    name: `the menu "${id}" navigates with "${label}" to "${place}", and the back button returns`,
    start,
    act: async (page) => [
      await lead(page, () => page.getByTestId(id).selectOption({ label })),
      await lead(page, () => page.goBack()),
    ],
    sees: [place, "about en"],
  };
}

function press(id: string) {
  return (page: Page) => lead(page, () => page.getByTestId(id).click());
}

const VISITS: readonly ScriptedVisit[] = [
  choice("handler", "up", "about fr"),
  choice("handler", "dot", "prices en"),
  choice("handler", "name", "prices en ?from=menu#fees"),
  choice("script", "up", "about fr"),
  choice("script", "name", "prices en"),
  choice("data", "name", "prices en"),
  {
    name: "a relative address in a script is resolved against the route, without a trailing slash",
    start,
    act: async (page) => [await press("sibling")(page)],
    sees: ["prices en"],
  },
  {
    name: "a relative address in onclick is resolved against the route",
    start,
    act: async (page) => [await press("inline")(page)],
    sees: ["prices en"],
  },
  {
    name: "a query-only address stays on the page",
    start,
    async act(page) {
      await page.getByTestId("query").click();
      await page.waitForURL(/tab=2/);
      return [await page.locator("h1").innerText(), await page.evaluate<string>("location.search + location.hash")];
    },
    sees: ["about en", "?tab=2#fees"],
  },
  {
    name: "location.pathname is compared with a path without a trailing slash",
    start,
    act: async (page) => [await writtenText(page, "here")],
    sees: ["about"],
  },
];

const LINKS: readonly ScriptedVisit[] = [
  ["dot", "prices en"],
  ["up", "about fr #fees"],
].map(([id = "", place = ""]) => ({
  name: `the relative link "${id}" navigates to "${place}", and the back button returns`,
  start,
  act: async (page) => [await press(id)(page), await lead(page, () => page.goBack())],
  sees: [place, "about en"],
}));

describeVisits({ title: "menus that navigate", folder: "test/sites/polyglot", visits: [...VISITS, ...LINKS] });

// Pages are files in their own folders, and their addresses have no trailing slash.
describeVisits({
  title: 'build.format "directory" with trailingSlash "never"',
  folder: "test/sites/polyglot",
  settings: { POLYGLOT_FORMAT: "directory" },
  visits: [...VISITS, ...LINKS],
});

describeVisits({
  title: 'a base with trailingSlash "never"',
  folder: "test/sites/bikeworks",
  visits: [
    {
      name: "the home page is recognized by the site's base, without a trailing slash",
      start: "/membership",
      async act(page) {
        await lead(page, () => page.getByRole("link", { name: "Home" }).click());
        return [await page.locator(".opening").innerText()];
      },
      sees: ["Tools on the wall: spanners, presses, truing stands. You are at the front door."],
    },
  ],
});
