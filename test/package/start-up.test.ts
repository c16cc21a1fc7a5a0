import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostInProcess } from "../flow/hosts.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { copyFixture } from "../integration/blog-site.ts";
import { IS_WHOLE } from "../whole.ts";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const astro = fileURLToPath(new URL("../../node_modules/astro/bin/astro.mjs", import.meta.url));
const recorder = fileURLToPath(new URL("../flow/record-modules.ts", import.meta.url));

/** What a command of the built program, or another program, loads: our own files, and others by package. */
async function loadedBy(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  { program = join(dist, "cli.js"), cwd = "." } = {},
) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", recorder, program, ...args], {
    cwd,
    env: { ...process.env, ...environment },
  });
  const [, list = "[]"] = /^LOADED (.*)$/m.exec(stderr) ?? [];
  const urls = (JSON.parse(list) as readonly string[]).filter((url) => !url.startsWith("node:"));
  const builtins = urls.filter((url) => url.startsWith("native:"));
  // Node has its own folder of that name, for example for stripping the recorder's types.
  const own = urls.filter(
    (url) => url.startsWith("file:") && url.includes("/dist/") && !url.includes("/node_modules/"),
  );
  const packages = new Map<string, number>();
  for (const url of urls) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (name !== undefined) packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  return { stdout, own, packages, builtins };
}

describe("the built program", () => {
  it("loads nothing else to print its version", async () => {
    const { stdout, own, packages } = await loadedBy(["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(own.length).toBeLessThanOrEqual(2);
    expect([...packages.keys()]).toEqual([]);
  });

  it("loads no command module to complete a word", async () => {
    const { stdout, own, packages } = await loadedBy(["complete", "--", "publish", "--dr"]);
    expect(stdout).toMatch(/^--dry-run\t.+\n$/);
    expect(own.length).toBeLessThanOrEqual(3);
    expect([...packages.keys()]).toEqual([]);
  });

  it("loads few files for `status` and for an unchanged publish, and none that they don't need", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    const environment = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
    await loadedBy(["publish", "--root", site.root], environment);
    const status = await loadedBy(["status", "--root", site.root], environment);
    expect(status.stdout).toContain("Pages");
    expect(status.own.length).toBeLessThanOrEqual(10);
    expect([...status.packages.keys()]).toEqual(["undici"]);
    expect(status.packages.get("undici")).toBeLessThanOrEqual(45);
    const unchanged = await loadedBy(["publish", "--root", site.root], environment);
    expect(unchanged.stdout).toContain("unchanged");
    expect(unchanged.own.length).toBeLessThanOrEqual(20);
    expect([...unchanged.packages.keys()]).toEqual(["undici"]);
    // Node's `fetch` takes as long to load as all our files.
    expect(unchanged.builtins).toContain("native:net");
    expect(unchanged.builtins.filter((name) => name.includes("deps/undici"))).toEqual([]);
  });

  it.runIf(IS_WHOLE)(
    "adds no module for the command line, posts, or page rewriting to a build without changes",
    async () => {
      const [root, host] = [await copyFixture("small-site"), await hostInProcess({ routeSet: "a", strict: false })];
      onTestFinished(() => rm(root, { recursive: true, force: true }));
      const entry = JSON.stringify(pathToFileURL(join(dist, "index.js")).href);
      const config = `import imprint from ${entry};\nexport default { integrations: [imprint()] };\n`;
      await writeFile(join(root, "astro.config.mjs"), config);
      const named = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
      const environment = { ...named, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "" };
      const build = () => loadedBy(["build"], environment, { program: astro, cwd: root });
      await build();
      const { stdout, own } = await build();
      expect(stdout).toContain("2 unchanged");
      const names = own.map((url) => basename(url)).filter((name) => readdirSync(dist).includes(name));
      const needed = ["index.js", "base.js", "options.js", "astro-error.js", "publish-stage.js", "rolldown-runtime.js"];
      expect(names.toSorted()).toEqual([...needed, "project.js", "client2.js", "run.js"].toSorted());
    },
  );
});

it("a stack trace has the source's function names", () => {
  const texts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  expect(texts.map((name) => readFileSync(join(dist, name), "utf8")).join("\n")).toContain(
    "async function publish(request) {",
  );
});
