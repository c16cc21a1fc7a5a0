import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../../src/service.ts";
import packageJson from "../../package.json" with { type: "json" };

const repository = fileURLToPath(new URL("../..", import.meta.url));
const fixture = fileURLToPath(new URL("../fixtures/small-site", import.meta.url));

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const environment = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "", npm_config_audit: "false" };
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: environment, maxBuffer: 1 << 26 });
  return stdout;
}

/** What a user gets: the packed tarball, installed into an Astro project that has nothing else. */
describe("the packed package, installed into an empty Astro project", () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "imprint-packed-"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", project], repository);
    const tarball = (await readdir(project)).find((name) => name.endsWith(".tgz")) ?? "";
    await cp(fixture, project, { recursive: true });
    const dependencies = { astro: packageJson.devDependencies.astro, "astro-imprint": `file:./${tarball}` };
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
    await run("npm", ["install", "--no-fund", "--no-audit", "--prefer-offline"], project);
    const config = `import imprint from "astro-imprint";
      export default { integrations: [imprint({ service: { port: 0, pagesPort: 0 }, posts: {} })] };`;
    await writeFile(join(project, "astro.config.mjs"), config);
  }, 300_000);

  afterAll(() => rm(project, { recursive: true, force: true }));

  it("builds and publishes to the embedded service", async () => {
    const output = await run("npx", ["astro", "build"], project);
    expect(output).toContain("Published to");
    const service = await startService({ dataDir: join(project, ".imprint"), port: 0, pagesPort: 0 });
    try {
      const home = await fetch(`${service.pagesUrl}/p/index`);
      expect(await home.text()).toContain("A small site");
      expect((await fetch(`${service.pagesUrl}/blog/blog/first`)).status).toBe(200);
    } finally {
      await service.close();
    }
  });

  it("has a command line that finds the options in the Astro config", async () => {
    const output = await run("npx", ["imprint", "plan", "--json"], project);
    const report: unknown = JSON.parse(output);
    expect(report).toMatchObject({ version: 1, dryRun: true, counts: { page: { keep: 2 }, post: { keep: 1 } } });
  });

  it.each(["astro-imprint", "astro-imprint/publish", "astro-imprint/client", "astro-imprint/service"])(
    "can be imported as %s",
    async (entry) => {
      const script = `const names = Object.keys(await import("${entry}")); console.log(names.join(" "));`;
      const names = await run("node", ["--input-type=module", "--eval", script], project);
      expect(names.trim()).not.toBe("");
    },
  );
});
