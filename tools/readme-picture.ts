// Creates the README's image from the real program: the published playground, and the dashboard that shows it. `npm run
// screenshots` runs it; the output is docs/picture.webp.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BrowserContext } from "playwright-core";
import sharp from "sharp";
// The built service, as Node can't run the dashboard's .tsx files.
import { startService } from "astro-imprint-service";
import { launchBrowser } from "../test/browser.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const [WIDTH, HEIGHT, GAP] = [1200, 860, 40];

const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
const browser = await launchBrowser();
try {
  const { apiKey } = await service.createKey({ name: "picture" });
  await promisify(execFile)("astro", ["build", "--root", "playground"], {
    cwd: repository,
    env: {
      ...{ ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
      ...{ IMPRINT_SERVICE: service.baseUrl("a"), IMPRINT_API_KEY: apiKey },
    },
  });
  const context = await browser.newContext({
    ...{ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light", reducedMotion: "reduce" },
    deviceScaleFactor: 1,
  });
  const site = await photograph(context, `${service.pagesUrl}/p/index`);
  const { url } = await service.createSignInLink();
  const dashboard = await photograph(context, url);
  await sharp({ create: { width: 2 * WIDTH + 3 * GAP, height: HEIGHT + 2 * GAP, channels: 3, background: "#e7e5e0" } })
    .composite([
      { input: site, left: GAP, top: GAP },
      { input: dashboard, left: WIDTH + 2 * GAP, top: GAP },
    ])
    .webp({ quality: 82 })
    .toFile(fileURLToPath(new URL("../docs/picture.webp", import.meta.url)));
} finally {
  await browser.close();
  await service.close();
}

async function photograph(context: BrowserContext, address: string): Promise<Buffer> {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  // A sign-in link asks for confirmation.
  const button = page.getByRole("button", { name: /sign in/i });
  if ((await button.count()) > 0) {
    await button.first().click();
    await page.waitForLoadState("networkidle");
  }
  const picture = await page.screenshot({ animations: "disabled" });
  await page.close();
  return picture;
}
