import { execFile, type ExecFileException } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../src/service.ts";
import { IS_WHOLE } from "../whole.ts";
import { copyFixture } from "./blog-site.ts";

const repository = new URL("../../", import.meta.url);
const built = fileURLToPath(new URL("dist/index.js", repository));
const astro = fileURLToPath(new URL("node_modules/astro/bin/astro.mjs", repository));
const OWN = { ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1", NODE_ENV: "", IMPRINT_SERVICE: "", IMPRINT_API_KEY: "" };

/**
 * The blog template after `astro add astro-imprint`, with the built package. Vite runs a TypeScript config,
 * with path imports.
 */
async function openTemplate(call: string, { name = "astro.config.mjs" } = {}) {
  const root = await copyFixture("blog-template");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(
    join(root, name),
    `import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import imprint from ${JSON.stringify(name.endsWith(".ts") ? built : pathToFileURL(built).href)};
export default { site: "https://example.com", integrations: [mdx(), sitemap(), ${call}] };
`,
  );
  /** Runs `astro build`; returns everything it printed. */
  async function buildSite(environment: NodeJS.ProcessEnv = { CI: "" }) {
    const env = { ...process.env, ...OWN, ...environment };
    const run = promisify(execFile)(process.execPath, [astro, "build"], { cwd: root, env });
    return await run.then(
      ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
      ({ code, stdout = "", stderr = "" }: ExecFileException) => ({ code, printed: stdout + stderr }),
    );
  }
  return { root, buildSite };
}

describe("the first build with only `imprint()`", () => {
  it("publishes to the embedded service, and shows no address without the command that opens it", async () => {
    const { root, buildSite } = await openTemplate("imprint()");
    const { code, printed } = await buildSite();
    expect(code).toBe(0);
    expect(printed.match(/No service is configured, so this publishes to the embedded service/g)).toHaveLength(1);
    const [, report = ""] = printed.split("Published to the embedded service.");
    const [before, after] = report.split("npx imprint serve");
    expect(before).toContain("5 published");
    expect(before).not.toMatch(/https?:/);
    expect(after).toContain("Site  http://127.0.0.1:4401/p/index\n");
    expect(report).not.toMatch(/route set/i);
    const service = await startService({ dataDir: join(root, ".imprint"), port: 0, pagesPort: 0 });
    onTestFinished(() => service.close());
    expect((await fetch(`${service.pagesUrl}/p/index`)).status).toBe(200);
  });

  it.runIf(IS_WHOLE)(
    "publishes to the service in IMPRINT_SERVICE, even if `imprint init` configured the embedded one",
    async () => {
      const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
      onTestFinished(() => service.close());
      const call = 'imprint({ service: "embedded", posts: {} })';
      const { root, buildSite } = await openTemplate(call, { name: "astro.config.ts" });
      const named = { CI: "true", IMPRINT_SERVICE: service.baseUrl("a"), IMPRINT_API_KEY: service.apiKey };
      const { code, printed } = await buildSite(named);
      expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining("5 published") });
      expect((await fetch(`${service.pagesUrl}/p/index`)).status).toBe(200);
      expect(existsSync(join(root, ".imprint/service.sqlite"))).toBe(false);
      // It lists the site's routes and none of imprint's, though it reads the posts from the build.
      expect(printed).toContain("/blog/using-mdx/index.html");
      expect(printed).not.toContain("posts.json");
      expect(printed).toMatch(/posts +3 published/);
    },
  );

  it("ends before the build if an option is invalid, with the line of the Astro config", async () => {
    const { buildSite } = await openTemplate("imprint({ post: {} })");
    const { code, printed } = await buildSite();
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain("`post` is not an option. Did you mean `posts`?");
    expect(printed).toMatch(/astro\.config\.mjs:4:/);
    expect(printed).not.toContain("[build]");
  });

  it("is an error in a CI, before the build", async () => {
    const { root, buildSite } = await openTemplate("imprint()");
    const { code, printed } = await buildSite({ CI: "true" });
    expect(code).toBe(1);
    expect(printed).toContain("No service is configured.");
    expect(printed).toContain("IMPRINT_SERVICE");
    expect(printed).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect([existsSync(join(root, "dist")), existsSync(join(root, ".imprint"))]).toEqual([false, false]);
  });
});
