import type { Page } from "playwright-core";
import { wearFrame } from "../../../src/brand/frame/wear-frame.ts";
import { openBrowser } from "../../browser.ts";
import { extractFrom, HOME } from "../site-of.ts";

/** Opens an empty page with the frame of a site that has this home page. The caller closes the browser's pages. */
export async function openFrame(home: string): Promise<Page> {
  const { frame } = await extractFrom(
    { "/": home },
    { frame: { linkTo: (address) => address, fileAt: (address) => address } },
  );
  const worn = frame === null ? undefined : wearFrame(frame, () => undefined);
  if (worn === undefined) throw new Error("The site has no frame.");
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.route("**", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="en"><body style="margin:0">${worn.header}<main>Empty</main>${worn.footer}</body></html>`,
    }),
  );
  await page.goto(HOME);
  return page;
}
