import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { COUNT_SHIFTS } from "./desk-world.ts";
import { openSignedIn } from "./look.ts";
import { BLOG, openSeeded } from "./seeded.ts";

const MAX_SHIFT = 0.02;

test(
  "every section fits a window of 320 pixels, without layout shifts, and filters one line of 1280",
  { timeout: 600_000 },
  async () => {
    const { service, ids } = await openSeeded();
    const browser = await openBrowser();
    onTestFinished(() => closePages(browser));
    const page = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.addInitScript(COUNT_SHIFTS);
    const links = await page.goto(service.url).then(() => page.locator("nav").last().locator("a[href^='/']").all());
    const sections = await Promise.all(links.map((link) => link.getAttribute("href")));
    const others = [
      `/blogs/${BLOG}/posts/rye/edit`,
      `/forms/${ids.form}`,
      `/edit/${ids.pages.start}`,
      `/library/${ids.assets.bread}`,
      `/analytics/${ids.pages.start}/heatmap`,
      `/webhooks/${ids.webhooks.broken}`,
    ];
    const complaints: string[] = [];
    for (const path of [...sections, ...others]) {
      await page.goto(`${service.url}${path}`);
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
      const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      const shift = await page.evaluate<number>("globalThis.shifts");
      if (wider > 0) complaints.push(`${path}: ${wider} pixels wider than the window`);
      if (shift > MAX_SHIFT) complaints.push(`${path}: moved by ${shift}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of ["/library", "/requests"]) {
      await page.goto(`${service.url}${path}`);
      const fields = await page.locator(".filter > .field, .filter > button").all();
      const boxes = await Promise.all(fields.map((field) => field.boundingBox()));
      const bottoms = new Set(boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0))));
      if (bottoms.size !== 1) complaints.push(`${path}: filters on several lines`);
    }
    for (const path of [...sections, ...others]) {
      await page.goto(`${service.url}${path}`);
      const hidden = await page.evaluate<number>(
        "Math.max(0, ...[...document.querySelectorAll('.scroll')].map((table) => table.scrollWidth - table.clientWidth))",
      );
      if (hidden > 0) complaints.push(`${path}: ${hidden} pixels of a table are cut off`);
    }
    expect(sections.length).toBeGreaterThan(12);
    expect(complaints).toEqual([]);
  },
);
