import { backgroundWidth, brokenImages, describeVisits, writtenText, type ScriptedVisit } from "./describe-visits.ts";

function writes(name: string, texts: Readonly<Record<string, string>>, start: string): ScriptedVisit {
  return {
    name,
    start,
    isPart: true,
    act: async (page) => {
      const seen: string[] = [];
      for (const id of Object.keys(texts)) seen.push(await writtenText(page, id));
      return seen;
    },
    sees: Object.values(texts),
  };
}

const FILES: readonly ScriptedVisit[] = [
  writes("loads a style sheet from new URL(…, import.meta.url)", { style: "rgb(10, 60, 120)" }, "/files/"),
  writes("loads a picture from new URL(…, import.meta.url)", { picture: "90 pixels", again: "90 pixels" }, "/files/"),
  writes(
    "imports dynamically, with styles, and with import.meta.glob",
    { late: "came late", notes: "note one, note two" },
    "/files/",
  ),
  {
    name: "shows a CSS background from a string",
    start: "/files/",
    isPart: true,
    act: async (page) => [await backgroundWidth(page, "string")],
    sees: ["64 pixels"],
  },
];

const ENDPOINTS: readonly ScriptedVisit[] = [
  writes("fetches JSON from an endpoint", { json: "Iron gall, Sepia" }, "/endpoints/"),
  writes("fetches it with a Request", { request: "Iron gall, Sepia" }, "/endpoints/"),
  writes("fetches it with a URL with a query", { url: "Iron gall, Sepia" }, "/endpoints/"),
  writes("fetches an endpoint with a template string", { template: "iron keeps for ages" }, "/endpoints/"),
  writes("fetches it with a relative XMLHttpRequest", { xhr: "Iron gall, Sepia" }, "/endpoints/"),
  writes("fetches a page partial", { part: "A part of a page, from about." }, "/endpoints/"),
  writes("fetches another page", { page: "Ink is what remains." }, "/endpoints/"),
  writes("fetches a text file in public/", { csv: "3" }, "/endpoints/"),
  writes("gets the status of missing files", { missing: "status 404" }, "/endpoints/"),
  writes("fetches relative to its route", { relative: "2" }, "/deep/page/"),
  writes("fetches relative to document.baseURI", { again: "2" }, "/deep/page/"),
  {
    name: "navigates to a target from fetched data",
    start: "/endpoints/",
    isPart: true,
    async act(page) {
      await page.getByRole("link", { name: "Sepia" }).click();
      await page.getByRole("heading", { name: "A deep page" }).waitFor();
      return [await page.locator("h1").innerText()];
    },
    sees: ["A deep page"],
  },
];

const ATTRIBUTES: readonly ScriptedVisit[] = [
  writes("fetches the page partial named by an attribute", { part: "A part of a page, from about." }, "/attributes/"),
  writes("fetches the page named by an attribute", { page: "Ink is what remains." }, "/attributes/"),
  writes("fetches data named by an attribute of a custom element", { data: "Iron gall, Sepia" }, "/attributes/"),
  writes("fetches data named by a data attribute", { set: "Iron gall, Sepia" }, "/attributes/"),
  writes("runs scripts in attributes", { expression: "Iron gall, Sepia" }, "/attributes/"),
  writes("shows an image with an address concatenated within a name", { joined: "30 pixels" }, "/attributes/"),
  {
    name: "fetches what an event handler names",
    start: "/attributes/",
    isPart: true,
    async act(page) {
      await page.getByTestId("press").click();
      return [await writtenText(page, "pressed")];
    },
    sees: ["Iron gall, Sepia"],
  },
];

const SHOWN: readonly ScriptedVisit[] = [
  writes("shows an image with a computed address", { image: "40 pixels", attribute: "40 pixels" }, "/shown/"),
  writes("shows an image with a concatenated address", { created: "30 pixels" }, "/shown/"),
  {
    name: "shows images in HTML from a script",
    start: "/shown/",
    isPart: true,
    act: async (page) => [await brokenImages(page), `${await page.locator(".plate").count()} plates`],
    sees: ["0 broken images", "2 plates"],
  },
  writes("shows a symbol from a file with a computed name", { mark: "20 pixels" }, "/shown/"),
  {
    name: "shows a background with a computed address",
    start: "/styled/",
    act: async (page) => [await backgroundWidth(page, "styled")],
    sees: ["40 pixels"],
    orReported: /in a style, url\(\/plates\//,
  },
  writes("loads a style sheet with a computed address", { theme: "rgb(1, 2, 3)" }, "/shown/"),
  {
    name: "shows pages in frames and objects created by a script",
    start: "/shown/",
    isPart: true,
    async act(page) {
      const [, ...frames] = page.frames();
      return Promise.all(frames.map((frame) => frame.locator("h1").innerText()));
    },
    sees: ["About the lab", "About the lab", "About the lab"],
  },
  {
    name: "opens a data file through a link created by a script",
    start: "/shown/",
    isPart: true,
    async act(page) {
      await page.getByRole("link", { name: "Iron" }).click();
      await page.waitForURL((url) => !/shown/.test(url.pathname) || url.protocol === "blob:");
      return [await page.locator("body").innerText()];
    },
    sees: [`{"note":"iron keeps for ages"}`],
  },
];

// The requests and console messages of each page.
const TITLES: Readonly<Record<string, string>> = {
  "/files/": "Files of scripts",
  "/endpoints/": "Endpoints",
  "/deep/page/": "A deep page",
  "/attributes/": "What attributes name",
  "/shown/": "What scripts show",
};
const PAGES: readonly ScriptedVisit[] = Object.entries(TITLES).map(([start, title]) => ({
  name: `makes no other failing requests on ${start}`,
  start,
  act: async (page) => [await page.locator("h1").innerText()],
  sees: [title],
}));

describeVisits({
  title: "files and endpoints used by scripts",
  folder: "test/sites/ink-lab",
  visits: [...FILES, ...ENDPOINTS, ...ATTRIBUTES, ...SHOWN, ...PAGES],
});
