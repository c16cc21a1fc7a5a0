import { execFile, type ExecFileException } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type RunningService } from "../../src/service.ts";
import packageJson from "../../package.json" with { type: "json" };

const repository = fileURLToPath(new URL("../..", import.meta.url));
const fixture = fileURLToPath(new URL("../fixtures/small-site", import.meta.url));
const environment = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "", npm_config_audit: "false" };

async function run([command = "", ...args]: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}) {
  const options = { cwd, env: { ...environment, ...more }, maxBuffer: 1 << 26 };
  return (await promisify(execFile)(command, args, options)).stdout;
}

/** Both streams of a failed command. */
async function failOf(words: readonly string[], cwd: string): Promise<string> {
  try {
    return `It did not fail: ${await run(words, cwd)}`;
  } catch (thrown) {
    const { stdout = "", stderr = "" } = thrown as ExecFileException;
    return `${stdout}${stderr}`;
  }
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const USE_OF_TYPES = `
import imprint, { type ImprintOptions } from "astro-imprint";
import { openTarget, parseOptions, publish, type Report } from "astro-imprint/publish";
import { connect, type ImprintApi, type Page } from "astro-imprint/client";
import { startService, type RunningService } from "astro-imprint-service";
import { startService as start } from "astro-imprint/service";

export const options: ImprintOptions = { service: "embedded", posts: {} };
export const name: string = imprint(options).name;
export const service: RunningService = await startService({ ephemeral: true, port: 0 });
export const same: typeof startService = start;
export const api: ImprintApi = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey });
export const page: Page = await api.pages.create({ slug: "hello", title: "Hello", html: "<h1>Hello</h1>" });
const target = await openTarget(parseOptions(options), { projectRoot: ".", environment: {} });
export const report: Report = await publish({ options: parseOptions(options), projectRoot: ".", target });
// @ts-expect-error -- The types are known, and not any.
export const wrong: number = report.exitCode.length;
// @ts-expect-error
await connect({ baseUrl: 1 });
`;

/** What a user gets: the packed tarballs, installed into an empty Astro project. */
describe("the packed packages, installed into an empty Astro project", () => {
  let project: string;
  let packed: readonly Packed[];

  // What `npx` would run.
  const bin = (name: string, ...args: readonly string[]) => [join(project, "node_modules/.bin", name), ...args];
  const install = (...dependencies: readonly string[]) =>
    run(["npm", "install", "--no-fund", "--no-audit", "--prefer-offline", ...dependencies], project);

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "imprint-packed-"));
    const options = ["--ignore-scripts", "--json", "--pack-destination", project];
    const packages = ["-w", "astro-imprint-service", "--include-workspace-root"];
    packed = JSON.parse(await run(["npm", "pack", ...options, ...packages], repository));
    await cp(fixture, project, { recursive: true });
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await writeFile(
      join(project, "astro.config.mjs"),
      `import imprint from "astro-imprint";
      const service = process.env.IMPRINT_SERVICE ?? { port: 0, pagesPort: 0 };
      export default { integrations: [imprint({ service, posts: {} })] };`,
    );
    // A link: downloading and unpacking Astro takes as long as half of the tests.
    const astro = join(repository, "node_modules/astro");
    await install(astro, `./astro-imprint-${packageJson.version}.tgz`);
  }, 300_000);

  afterAll(() => rm(project, { recursive: true, force: true }));

  it("contain few files, with docs and without source maps", () => {
    for (const { files } of packed) {
      const paths = files.map(({ path }) => path);
      // The number of migrations and docs pages only grows.
      expect(paths.filter((path) => !/\/migrations\/|^docs\//.test(path)).length).toBeLessThanOrEqual(70);
      expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "docs/hosting.md"]));
      // Decisions are for contributors.
      expect(paths.filter((path) => path.startsWith("docs/decisions/"))).toEqual([]);
      expect(paths.filter((path) => /\.map$|\.tsx?$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
    }
  });

  it("pass publint", async () => {
    for (const { filename } of packed) {
      const { buffer } = new Uint8Array(await readFile(join(project, filename)));
      const { messages } = await publint({ strict: true, pack: { tarball: buffer } });
      expect(messages).toEqual([]);
    }
  });

  describe("without the service package", () => {
    it("publish to a remote service", async () => {
      const service: RunningService = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
      try {
        const { apiKey } = await service.createKey({ name: "test" });
        const named = { IMPRINT_SERVICE: service.baseUrl("a"), IMPRINT_API_KEY: apiKey };
        expect(await run(["npx", "astro", "build"], project, named)).toContain("Published to");
        expect(await (await fetch(`${service.pagesUrl}/p/index`)).text()).toContain("A small site");
        expect(await run(bin("imprint", "status"), project, named)).toContain("Pages");
      } finally {
        await service.close();
      }
      await Promise.all(
        ["imprint.lock.json", ".imprint"].map((name) => rm(join(project, name), { recursive: true, force: true })),
      );
    });

    it.each(["astro build", "imprint publish", "imprint serve", "imprint backup service.tar"])(
      "`npx %s` names the command that installs it",
      async (line) => {
        const [name = "", ...args] = line.split(" ");
        const output = await failOf(bin(name, ...args), project);
        expect(output).toContain(`npm install --save-dev astro-imprint-service@${packageJson.version}`);
        expect(output).not.toMatch(/\n\s+at .*:\d+:\d+/);
      },
    );
  });

  describe("with the service package", () => {
    beforeAll(() => install("--save-dev", `./astro-imprint-service-${packageJson.version}.tgz`), 300_000);

    it("build and publish to the embedded service", async () => {
      const output = await run(bin("astro", "build"), project);
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

    it("have a command line that finds the options in the Astro config", async () => {
      const output = await run(bin("imprint", "plan", "--json"), project);
      const report: unknown = JSON.parse(output);
      expect(report).toMatchObject({ version: 1, dryRun: true, counts: { page: { keep: 2 }, post: { keep: 1 } } });
    });

    it.each([
      ...["astro-imprint", "astro-imprint/publish", "astro-imprint/client", "astro-imprint/service"],
      "astro-imprint-service",
    ])("can be imported as %s", async (entry) => {
      const script = `const names = Object.keys(await import("${entry}")); console.log(names.join(" "));`;
      const names = await run(["node", "--input-type=module", "--eval", script], project);
      expect(names.trim()).not.toBe("");
    });

    it("have types for each entry point", async () => {
      await writeFile(join(project, "types.mts"), USE_OF_TYPES);
      const compiler = join(repository, "node_modules/.bin/tsc");
      const roots = ["--types", "node", "--typeRoots", join(repository, "node_modules/@types")];
      const flags = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"];
      const output = await run([compiler, ...flags, ...roots, "types.mts"], project).catch((error) => error.stdout);
      // Errors in Astro's own types don't matter.
      expect(output.split("\n").filter((line: string) => /^types\.mts|astro-imprint/.test(line))).toEqual([]);
    });

    it("are rejected in different versions", async () => {
      const file = join(project, "node_modules/astro-imprint-service/package.json");
      const manifest = JSON.stringify({
        ...(await import(file, { with: { type: "json" } })).default,
        version: "0.0.1",
      });
      await writeFile(file, manifest);
      const output = await failOf(bin("imprint", "publish"), project);
      expect(output).toContain("the project has astro-imprint-service 0.0.1");
    });
  });
});
