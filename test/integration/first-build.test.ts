import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import { build } from "astro";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import imprint, { type ImprintOptions } from "../../src/index.ts";
import { startService } from "../../src/service.ts";
import { copyFixture } from "./blog-site.ts";

/** The blog template as `astro add astro-imprint` leaves it. */
async function openTemplate(options?: ImprintOptions) {
  const root = await copyFixture("blog-template");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  async function buildSite(): Promise<string> {
    const printed: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    try {
      await build({
        ...{ root, configFile: false, logLevel: "info", cacheDir: join(root, ".cache") },
        site: "https://example.com",
        integrations: [mdx(), sitemap(), imprint(options)],
      });
    } finally {
      spy.mockRestore();
    }
    return printed.join("");
  }
  return { root, buildSite };
}

beforeEach(() => {
  vi.stubEnv("NODE_ENV", "production");
  for (const name of ["IMPRINT_SERVICE", "IMPRINT_API_KEY", "CI", "JENKINS_URL", "TF_BUILD"]) vi.stubEnv(name, "");
});
afterEach(() => void vi.unstubAllEnvs());

describe("the first build with `imprint()` and nothing else", () => {
  it("publishes to the embedded service, and says so in one line", async () => {
    const { root, buildSite } = await openTemplate();
    const printed = await buildSite();
    expect(printed.match(/No service is named, so this publishes to the embedded service/g)).toHaveLength(1);
    expect(printed).toContain("Published to the embedded service.");
    const service = await startService({ dataDir: join(root, ".imprint"), port: 0, pagesPort: 0 });
    onTestFinished(() => service.close());
    expect((await fetch(`${service.pagesUrl}/p/index`)).status).toBe(200);
  });

  it("shows no address where nothing listens without the command that changes that, and no route set", async () => {
    const { buildSite } = await openTemplate();
    const [, report = ""] = (await buildSite()).split("Published to");
    const [before, after] = report.split("npx imprint serve");
    expect(before).not.toMatch(/https?:/);
    expect(after).toContain("Site  http://127.0.0.1:4401/p/index\n");
    expect(report).not.toMatch(/route set/i);
  });

  it("is a clear error in a CI, before anything is built", async () => {
    vi.stubEnv("CI", "true");
    const { root, buildSite } = await openTemplate();
    const failed: unknown = await buildSite().catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: "An option is not valid. No service is named to publish to.",
      hint: expect.stringContaining("IMPRINT_SERVICE"),
      stack: "",
    });
    expect([existsSync(join(root, "dist")), existsSync(join(root, ".imprint"))]).toEqual([false, false]);
  });
});

it("a build lists the routes of the site and none of imprint's, though it takes the posts from the build", async () => {
  const { buildSite } = await openTemplate({ posts: {} });
  const printed = await buildSite();
  expect(printed).toContain("/blog/using-mdx/index.html");
  expect(printed).not.toContain("posts.json");
  expect(printed).toMatch(/posts +3 published/);
});
