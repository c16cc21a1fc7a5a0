// What identifies a site on pages without its frame: its header's color, and its logo on a background that shows it.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { WRITTEN_SITES } from "../../brand/corpus/written-sites.ts";
import { fileForm, openRunningService, type Send } from "../open-service.ts";
import { kitInLibrary, openBrandedSite } from "./branding.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

function kitOf(name: string, send: Send): Promise<BrandKitBody> {
  const site = WRITTEN_SITES.find((known) => known.name === name);
  if (site === undefined) throw new Error(`There is no site ${name}.`);
  return kitInLibrary(site, send);
}

// Runs in the browser: the highest contrast between the logo's pixels and their background.
const MEASURE = `(async () => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (parse(backgroundColor)[3] !== 0) return parse(backgroundColor).slice(0, 3);
    }
    return [255, 255, 255];
  };
  const luminance = (color) => color.map((value) => value / 255)
    .map((share) => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
    .reduce((sum, share, index) => sum + share * [0.2126, 0.7152, 0.0722][index], 0);
  const image = document.querySelector(".top img");
  const top = getComputedStyle(document.querySelector(".top")).backgroundColor;
  if (image === null) return { top, contrast: undefined };
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0, image.width, image.height);
  const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
  const ground = groundOf(image);
  let contrast = 1;
  for (let at = 0; at < data.length; at += 4) {
    const share = data[at + 3] / 255;
    const seen = [0, 1, 2].map((channel) => data[at + channel] * share + ground[channel] * (1 - share));
    const [low, high] = [luminance(seen), luminance(ground)].sort((a, b) => a - b);
    contrast = Math.max(contrast, (high + 0.05) / (low + 0.05));
  }
  return { top, contrast };
})()`;

interface Measured {
  readonly top: string;
  readonly contrast: number | undefined;
}

async function measure(page: Page, address: string, colorScheme: "light" | "dark"): Promise<Measured> {
  await page.emulateMedia({ colorScheme });
  await page.goto(address, { waitUntil: "load" });
  return await page.evaluate(MEASURE);
}

const CLEAR = "rgba(0, 0, 0, 0)";

describe("without the site's own header", () => {
  const SITES = [
    { site: "county-library", light: "rgb(0, 90, 91)", dark: "rgb(0, 90, 91)" },
    { site: "dark-header-law", light: "rgb(20, 33, 61)", dark: "rgb(20, 33, 61)" },
    { site: "harbor-museum", light: "rgb(138, 21, 56)", dark: "rgb(138, 21, 56)" },
    { site: "vale-choir", light: "rgb(106, 27, 77)", dark: "rgb(106, 27, 77)" },
    { site: "refresh-hotel", light: "rgb(154, 123, 79)", dark: "rgb(154, 123, 79)" },
    { site: "hero-overlay", light: "rgb(41, 53, 59)", dark: "rgb(41, 53, 59)" },
    { site: "inline-style-inn", light: "rgb(255, 255, 255)", dark: "rgb(255, 255, 255)" },
    { site: "picture-logo", light: CLEAR, dark: CLEAR },
    { site: "mill-bakery", light: CLEAR, dark: CLEAR },
    { site: "two-tone-docs", light: CLEAR, dark: CLEAR },
  ] as const;

  it("pages have its color in both color schemes, with a visible logo", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    const page = await browser.newPage();
    for (const { site, light, dark } of SITES) {
      await wear(await kitOf(site, send));
      const seen = {
        light: await measure(page, `${service.pagesUrl}/p/nowhere`, "light"),
        dark: await measure(page, `${service.pagesUrl}/p/nowhere`, "dark"),
      };
      expect({ site, light: seen.light.top, dark: seen.dark.top }).toEqual({ site, light, dark });
      const { contrast: inLight = 0 } = seen.light;
      const { contrast: inDark = 0 } = seen.dark;
      expect({ site, isSeen: Math.min(inLight, inDark) > 2 }).toEqual({ site, isSeen: true });
    }
    await page.close();
  });

  it("a logo that was pinned for light backgrounds is visible on a dark header", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    const { logos: _, ...kit } = await kitOf("dark-header-law", send);
    const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><path fill="#14213d" d="M0 0h80v40H0z"/></svg>`;
    const { body } = await send("POST", "/api/library", { form: fileForm(["mark.svg", mark]) });
    await wear({
      ...kit,
      logos: [{ kind: "logo", url: String(body["url"]), width: 80, height: 40 }],
    });
    const page = await browser.newPage();
    for (const scheme of ["light", "dark"] as const) {
      const { contrast } = await measure(page, `${service.pagesUrl}/p/nowhere`, scheme);
      expect(contrast).toBeGreaterThan(4.5);
    }
    await page.close();
  });

  it("pages end in the color of its footer, with its name", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    await wear(await kitOf("foundation-aid", send));
    const page = await browser.newPage();
    await page.goto(`${service.pagesUrl}/blog/notes`, { waitUntil: "load" });
    const footer = page.locator("footer.bottom");
    expect(await footer.innerText()).toBe("Tern & Quire");
    expect(await page.evaluate(`getComputedStyle(document.querySelector(".bottom")).backgroundColor`)).toBe(
      "rgb(200, 16, 46)",
    );
    const { y = 0, height = 0 } = (await footer.boundingBox()) ?? {};
    expect(Math.round(y + height)).toBeGreaterThanOrEqual(page.viewportSize()?.height ?? 0);
    await page.close();
  });

  it("pages have a box like those of the site, with its color around", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await wear(await kitOf("alder-joinery", send));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${service.pagesUrl}/blog/notes`, { waitUntil: "load" });
      const seen: unknown = await page.evaluate(
        `({ around: getComputedStyle(document.documentElement).backgroundColor, ...document.body.getBoundingClientRect().toJSON() })`,
      );
      expect(seen).toMatchObject({ around: "rgb(61, 95, 77)", left: 140, top: 24, width: 1000, height: 752 });
    }
    await wear(await kitOf("vale-choir", send));
    await page.goto(`${service.pagesUrl}/blog/notes`, { waitUntil: "load" });
    expect(await page.evaluate(`document.body.getBoundingClientRect().width`)).toBe(1280);
    await page.close();
  });

  it("headings have the site's weight, whatever the weights of the font's files", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    const page = await browser.newPage();
    const kit = await kitOf("county-library", send);
    const shown = async (own: BrandKitBody) => {
      await wear(own);
      await page.goto(`${service.pagesUrl}/blog/notes`, { waitUntil: "load" });
      return await page.evaluate(`getComputedStyle(document.querySelector("h1")).fontWeight`);
    };
    expect(kit.fonts?.find(({ role }) => role === "heading")?.weights).toEqual([400]);
    expect(await shown(kit)).toBe("700");
    expect(await shown({ ...kit, design: { surfaces: [], headingSizes: [], headingWeight: 500 } })).toBe("500");
    await page.close();
  });

  it("headings have the site's color, but not in boxes of a post's author", async () => {
    const service = await openRunningService();
    const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
    const colors = [
      ["background", "#fffdf7"],
      ["text", "#45556c"],
      ["heading", "#7a1f3d"],
      ["dark-background", "#10141a"],
      ["dark-text", "#dde3ea"],
      ["dark-heading", "#f4a6bd"],
    ] as const;
    await wear({ name: "Tern & Quire", colors: colors.map(([role, hex]) => ({ role, hex })) });
    const html = `<h2>Own</h2><section><h3>Own</h3></section><div style="background: #222; color: #fff"><h2>Box</h2></div><div class="card"><h2>Box</h2></div>`;
    await send("POST", "/api/blogs/notes/posts", { json: { slug: "boxes", title: "Boxes", html } });
    const page = await browser.newPage();
    const read = async (path: string, colorScheme: "light" | "dark"): Promise<unknown> => {
      await page.emulateMedia({ colorScheme });
      await page.goto(service.pagesUrl + path, { waitUntil: "load" });
      return page.evaluate(
        `[...document.querySelectorAll("h1, h2, h3")].map((heading) => getComputedStyle(heading).color)`,
      );
    };
    const [own, inDark] = ["rgb(122, 31, 61)", "rgb(244, 166, 189)"];
    for (const path of ["/p/nowhere", "/_thanks/index"]) expect(await read(path, "light")).toEqual([own]);
    expect(await read("/blog/notes", "dark")).toEqual([inDark, inDark, inDark]);
    expect(await read("/blog/notes/boxes", "light")).toEqual([own, own, own, "rgb(255, 255, 255)", "rgb(69, 85, 108)"]);
    await page.close();
  });
});

it("the sign-in page has the newest site's name, colors, and logo, in both schemes, and is accessible", async () => {
  const service = await openRunningService();
  const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
  await wear(await kitOf("dark-header-law", send));
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on(
    "console",
    (message) => void (message.text().includes("Content Security Policy") && refused.push(message.text())),
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${service.url}/sign-in`, { waitUntil: "load" });
    await page.evaluate(AXE);
    const seen = await page.evaluate(`(async () => ({
      top: getComputedStyle(document.querySelector(".top")).backgroundColor,
      button: getComputedStyle(document.querySelector("button")).backgroundColor,
      home: document.querySelector(".top a").href,
      isLogoLoaded: document.querySelector(".top img").naturalWidth > 0,
      faults: (await axe.run(document)).violations.map(({ id, nodes }) => id + nodes[0].html),
    }))()`);
    expect(seen).toEqual({
      top: "rgb(20, 33, 61)",
      button: "rgb(166, 124, 46)",
      home: `${service.pagesUrl}/p/index`,
      isLogoLoaded: true,
      faults: [],
    });
  }
  expect(refused).toEqual([]);
  await page.close();
});
