import type { Page } from "playwright-core";
import { describeVisits, lead, writtenText, type ScriptedVisit } from "./describe-visits.ts";

const start = "/en/about";

function choice(id: string, label: string, place: string): ScriptedVisit {
  return {
    name: `the menu "${id}" leads by "${label}" to "${place}", and the back button back`,
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
    name: "a relative address in a script is read against the route, which has no slash at its end",
    start,
    act: async (page) => [await press("sibling")(page)],
    sees: ["prices en"],
  },
  {
    name: "a relative address in onclick is read against the route",
    start,
    act: async (page) => [await press("inline")(page)],
    sees: ["prices en"],
  },
  {
    name: "a query alone stays on the page",
    start,
    async act(page) {
      await page.getByTestId("query").click();
      await page.waitForURL(/tab=2/);
      return [await page.locator("h1").innerText(), await page.evaluate<string>("location.search + location.hash")];
    },
    sees: ["about en", "?tab=2#fees"],
  },
  {
    name: "location.pathname is compared with a path that has no slash at its end",
    start,
    act: async (page) => [await writtenText(page, "here")],
    sees: ["about"],
  },
];

const LINKS: readonly ScriptedVisit[] = [
  ["dot", "prices en"],
  ["up", "about fr #fees"],
].map(([id = "", place = ""]) => ({
  name: `the relative link "${id}" leads to "${place}", and the back button back`,
  start,
  act: async (page) => [await press(id)(page), await lead(page, () => page.goBack())],
  sees: [place, "about en"],
}));

describeVisits({ title: "menus that navigate", folder: "test/sites/polyglot", visits: [...VISITS, ...LINKS] });

// Pages are files in folders of their own, and their addresses have no slash at the end.
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
      name: "the home page is known by the site's base, which has no slash at its end",
      start: "/membership",
      async act(page) {
        await lead(page, () => page.getByRole("link", { name: "Home" }).click());
        return [await page.locator(".opening").innerText()];
      },
      sees: ["Tools on the wall: spanners, presses, truing stands. You are at the front door."],
    },
  ],
});
