// Mails and the sign-in page with the brand kits of handwritten sites, as a browser shows them.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { startMailServer } from "../mail/mail-server.ts";
import { openRunningService } from "../open-service.ts";
import { kitInLibrary, openBrandedSite } from "./branding.ts";
import { SHOWN_SITES, SHOWS_ALL } from "./shown-sites.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

const SCHEMES = ["light", "dark"] as const;

// Landmarks and headings are up to the mail program.
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function judge(page: Page, options: object): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`(async () => [
    ...(await axe.run(document, ${JSON.stringify(options)})).violations
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 120))),
    ...[...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => "empty: " + src),
  ])()`);
}

it("mails and the sign-in page are accessible and show their pictures with the kits of all sites", async () => {
  const server = await startMailServer();
  const service = await openRunningService({
    mail: { smtpUrl: server.url, from: "Imprint <imprint@example.org>" },
    background: false,
  });
  const { wear, send } = await openBrandedSite(service, { name: "Tern & Quire" });
  const size = { viewport: { width: 700, height: 620 } };
  // A page's policy also applies to content that is written into it.
  const [page, letter] = [await browser.newPage(size), await browser.newPage(size)];
  const found: string[] = [];
  for (const [number, site] of SHOWN_SITES.entries()) {
    await wear(await kitInLibrary(site, send));
    await send("POST", "/api/users", { json: { email: `ada${number}@example.org`, role: "editor" } });
    await service.sendMails();
    const html = /<!doctype html>[^]*<\/html>/.exec(server.mails.at(-1)?.text ?? "")?.[0] ?? "";
    expect(html).toContain("Tern &#38; Quire");
    for (const colorScheme of SCHEMES.filter((_, index) => SHOWS_ALL || index === number % SCHEMES.length)) {
      const said = (what: string) => (text: string) => `${site.name}, ${what}, ${colorScheme}: ${text}`;
      await page.emulateMedia({ colorScheme });
      await page.goto(`${service.url}/sign-in`, { waitUntil: "load" });
      found.push(...(await judge(page, {})).map(said("sign-in")));
      await letter.emulateMedia({ colorScheme });
      await letter.setContent(html, { waitUntil: "load" });
      found.push(...(await judge(letter, { runOnly: WCAG })).map(said("mail")));
    }
  }
  expect(found).toEqual([]);
  await Promise.all([page.close(), letter.close()]);
});
