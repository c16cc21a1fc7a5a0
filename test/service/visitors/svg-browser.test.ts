import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { cleanSvg } from "../../../src/service/visitors/clean-svg.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, fileForm, openRunningService } from "../open-service.ts";
import { ATTACKS, ELSEWHERE, LINKS } from "./svg-attacks.ts";
import { sampleOf } from "../../whole.ts";

/** One attack of each kind, because the policy treats every drawing the same. */
const POLICED = ["script", "load handler", "foreign object", "import in a style", "image from another host"];

const browser = await openBrowser();
afterAll(() => closePages(browser));

interface Visitor {
  readonly page: Page;
  /** Alerts, and requests to other hosts. */
  readonly deeds: readonly string[];
  open(address: string): Promise<void>;
}

/** Opens addresses like someone who follows a link; `lost`: as if the policy had been lost in transit. */
async function createVisitor(policy: "as sent" | "lost" = "as sent"): Promise<Visitor> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const deeds: string[] = [];
  page.on("dialog", (dialog) => {
    deeds.push(`alert ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (url.startsWith(ELSEWHERE)) {
      deeds.push(`request ${new URL(url).pathname}`);
      return await route.abort();
    }
    if (policy === "as sent") return await route.continue();
    const response = await route.fetch();
    const { "content-security-policy": _policy, ...headers } = response.headers();
    return await route.fulfill({ response, headers });
  });
  return {
    page,
    deeds,
    async open(address) {
      // A download is never shown.
      await page.goto(address, { waitUntil: "load" }).catch((error: Error) => {
        if (!error.message.includes("Download is starting")) throw error;
      });
    },
  };
}

async function upload(service: RunningService, svg: string): Promise<string> {
  const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", {
    form: fileForm(["logo.svg", svg]),
  });
  return String(body["url"]);
}

describe("a malicious drawing that is opened", () => {
  it("would run if served unchanged", async () => {
    const service = await openRunningService();
    const { page, deeds, open } = await createVisitor();
    await open(`${service.pagesUrl}/p/none`);
    expect(deeds).toEqual([]);
    await open("about:blank");
    const raw = `data:image/svg+xml,${encodeURIComponent(ATTACKS["script"] ?? "")}`;
    await page.setContent(`<iframe src="${raw}"></iframe>`);
    await expect.poll(() => deeds).toEqual(["alert 1"]);
  });

  it.each(["as sent", "lost"] as const)("runs nothing and loads nothing, with its policy %s", async (policy) => {
    const service = await openRunningService();
    const { page, deeds, open } = await createVisitor(policy);
    // What is blocked without the policy is also blocked with it.
    const attacks = sampleOf(Object.entries(ATTACKS), ([name]) => policy === "lost" || POLICED.includes(name));
    for (const [name, svg] of attacks) {
      // An HTML document isn't accepted.
      if (svg.startsWith("<html")) continue;
      await open(await upload(service, svg));
      await page.evaluate("0").catch(() => {});
      expect([name, deeds]).toEqual([name, []]);
    }
  });

  it("runs nothing when clicked", async () => {
    const service = await openRunningService();
    const { page, deeds, open } = await createVisitor("lost");
    for (const [name, svg] of Object.entries(LINKS)) {
      await open(await upload(service, svg));
      await page.mouse.click(10, 10);
      await page.evaluate("0");
      expect([name, deeds, new URL(page.url()).pathname.startsWith("/library/")]).toEqual([name, [], true]);
    }
  });
});

describe("a logo", () => {
  const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  // As written by drawing programs, each with something that is removed.
  const LOGOS: Readonly<Record<string, string>> = {
    Illustrator: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
 <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/"> <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/"> ]>
<svg version="1.1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" ${NAMESPACES} viewBox="0 0 100 60" width="200" height="120">
<style type="text/css"><![CDATA[@import url(https://fonts.example/a.css); .st0{fill:#2A7DE1;} .st1{fill:url(#SVGID_1_);}]]></style>
<switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#adobe"/></foreignObject>
<g i:extraneous="self"><linearGradient id="SVGID_1_" x1="0" x2="100" y1="0" y2="0" gradientUnits="userSpaceOnUse"><stop offset="0" style="stop-color:#FF0"/><stop offset="1" style="stop-color:#F0F"/></linearGradient>
<path class="st0" d="M5,5h40v50H5V5z"/><circle class="st1" cx="75" cy="30" r="20"/></g></switch></svg>`,
    Inkscape: `<svg ${NAMESPACES} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="200" height="120" viewBox="0 0 100 60">
<sodipodi:namedview inkscape:zoom="1"/><script/><defs><path id="a" d="M0 0h20v20z"/><filter id="b"><feGaussianBlur stdDeviation="2"/></filter></defs>
<use xlink:href="#a" x="10" y="10" style="fill:#080;filter:url(#b)"/><text x="40" y="40" xml:space="preserve" style="font-size:14px">a  &lt;b&gt;</text></svg>`,
    Figma: `<svg ${NAMESPACES} onload="track()" width="200" height="120" viewBox="0 0 100 60" fill="none"><mask id="m" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="60"><path fill="#fff" d="M0 0h50v60H0z"/></mask>
<g mask="url(#m)" clip-path="url(#c)"><rect width="100" height="60" fill="url(#p)"/></g><defs><clipPath id="c"><rect width="90" height="50" x="5" y="5" rx="12" fill="#fff"/></clipPath><pattern id="p" width="1" height="1" patternContentUnits="objectBoundingBox"><use xlink:href="#i" transform="scale(.25)"/></pattern>
<image id="i" width="2" height="2" xlink:href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFUlEQVR4nGP8z8Dwn4GBgYGJAQoAHxcCAr7cGDsAAAAASUVORK5CYII="/></defs></svg>`,
  };

  let page: Page;
  beforeAll(async () => {
    page = await (await browser.newContext({ viewport: { width: 240, height: 160 } })).newPage();
  });

  /** What an `<img>` shows of a drawing. */
  async function shoot(svg: string): Promise<string> {
    const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
    await page.setContent(`<body style="margin:0"><img width="240" height="160" src="${address}">`);
    await page.evaluate("document.querySelector('img').decode()");
    return (await page.screenshot()).toString("base64");
  }

  it.each(Object.entries(LOGOS))("from %s looks the same after it is sanitized", async (_, svg) => {
    const cleaned = await cleanSvg(Buffer.from(svg), "http://127.0.0.1:4401");
    if (cleaned.kind !== "cleaned") throw new Error(cleaned.kind);
    const shown = await shoot(svg);
    expect(shown).not.toBe(await shoot(`<svg ${NAMESPACES} width="240" height="160"/>`));
    expect((await shoot(cleaned.svg)) === shown).toBe(true);
  });

  it("from a real project is served unchanged, or looks the same", async () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const files = globSync(
      ["test/**/*.svg", "playground/**/*.svg", "node_modules/{astro,@astrojs,@modelcontextprotocol}/**/*.svg"],
      { cwd: root },
    );
    expect(files.length).toBeGreaterThan(15);
    const kinds: string[] = [];
    for (const file of files) {
      const svg = readFileSync(`${root}${file}`, "utf8");
      const cleaned = await cleanSvg(Buffer.from(svg), "http://127.0.0.1:4401");
      kinds.push(cleaned.kind);
      if (cleaned.kind === "cleaned")
        expect([file, (await shoot(cleaned.svg)) === (await shoot(svg))]).toEqual([file, true]);
      // A browser can't show it either.
      if (cleaned.kind === "unreadable") await expect(shoot(svg)).rejects.toThrow("decode");
    }
    expect(kinds.filter((kind) => kind === "clean").length).toBeGreaterThan(10);
  });
});
