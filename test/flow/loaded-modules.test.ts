import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";
import { IS_WHOLE } from "../whole.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const recorder = fileURLToPath(new URL("./record-modules.ts", import.meta.url));

async function modulesOf(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", recorder, cli, ...args], {
    env: { ...process.env, ...environment },
  });
  const line = stderr.split("\n").find((each) => each.startsWith("LOADED ")) ?? "LOADED []";
  const loaded: unknown = JSON.parse(line.slice("LOADED ".length));
  return Array.isArray(loaded) ? loaded.map(String) : [];
}

describe("a run that publishes to a remote service", () => {
  it("loads neither SQLite nor hono, nor any other part of the service", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    const environment = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
    const loaded = await modulesOf(["publish", "--root", site.root], environment);
    expect(loaded.some((url) => url.includes("/undici/"))).toBe(true);
    expect(loaded.filter((url) => /node:sqlite|\/hono\/|\/@hono\/|\/kysely\/|\/src\/service/.test(url))).toEqual([]);
  });

  it("loads no image library and no parser if nothing changed", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    const environment = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
    await modulesOf(["publish", "--root", site.root], environment);
    const loaded = await modulesOf(["publish", "--root", site.root], environment);
    const heavy = /\/(?:sharp|@img|parse5|css-tree|culori|css-select|lightningcss|es-module-lexer)\//;
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  });

  it.runIf(IS_WHOLE)("reads no style sheet for the brand kit until one of its source files changes", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    const environment = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
    const note = (number: number, text: string) =>
      site.write(`dist/notes/${number}/index.html`, htmlPage(`Note ${number}`, `<h1>Note</h1><p>${text}</p>`));
    for (let number = 1; number <= 20; number += 1) await note(number, "Ink is a paint.");
    const brandModules = async () =>
      (await modulesOf(["publish", "--root", site.root], environment)).filter((url) =>
        /\/(?:css-tree|culori|css-select)\/|\/src\/brand\/(?:extract|css\/parse-sheet)\.ts/.test(url),
      );
    expect((await brandModules()).some((url) => url.endsWith("/src/brand/css/parse-sheet.ts"))).toBe(true);
    expect(await brandModules()).toEqual([]);
    await note(20, "Ink is a dye.");
    expect(await brandModules()).toEqual([]);
    await site.write("dist/_astro/site.css", ":root{--color-brand:#0d4658}body{font-family:Georgia,serif}");
    expect((await brandModules()).some((url) => url.endsWith("/src/brand/css/parse-sheet.ts"))).toBe(true);
  });
});
