import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { openAtStranger, openProject } from "./project.ts";

const PLAIN = dialectA("A plain");
const CLI = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));
const NOBODY = 65_534;

it("a file named .imprint is an error before any request to the host", async () => {
  const { stranger, root, run } = await openAtStranger(PLAIN, { posts: false });
  await writeFile(join(root, ".imprint"), "");
  const { code, said } = await run("publish");
  expect(code).toBe(1);
  expect(said).toContain(`${join(root, ".imprint")} is a file. Delete or rename it`);
  expect(stranger.world.log).toEqual([]);
});

it("a folder without write access for the lock file is an error before any request to the host", async () => {
  const { stranger, root, run, write } = await openAtStranger(PLAIN, { posts: false });
  await run("publish");
  const before = stranger.world.log.length;
  await write("dist/new/index.html", "<!doctype html><title>New</title>");
  for (const [path, mode] of [
    [".imprint", 0o777],
    [".imprint/memory.sqlite", 0o666],
    [".imprint/run.lock", 0o666],
    [".", 0o555],
  ] as const)
    await chmod(join(root, path), mode);
  onTestFinished(() => chmod(root, 0o755));
  // root can write everywhere.
  const options = process.getuid?.() === 0 ? { uid: NOBODY } : {};
  const env = { ...process.env, IMPRINT_API_KEY: API_KEY, IMPRINT_SERVICE: stranger.baseUrl };
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [CLI, "publish", "--root", root], { ...options, env }, (_, out, error) => {
      resolve(out + error);
    });
  });
  expect(said).toContain(`${join(root, "imprint.lock.json")} can't be written`);
  expect(stranger.world.log.slice(before)).toEqual([]);
});

it.each([
  ["pages.example.org", "https://pages.example.org"],
  ["localhost:4401", "http://localhost:4401"],
])("--service %s gets a suggestion for the intended address", async (service, whole) => {
  const { run } = await openAtStranger(PLAIN, { posts: false });
  const { code, said } = await run("publish", "--service", service);
  expect([code, said]).toEqual([2, expect.stringContaining(`must start with http:// or https://: "${whole}"`)]);
});

it.each([
  "sk_live_4f9a2c71d0b34e58",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
])("a key passed as the service isn't printed: %s", async (key) => {
  const { run } = await openAtStranger(PLAIN, { posts: false });
  expect((await run("publish", "--service", key)).said).not.toContain(key);
  const { run: runNamed } = await openProject({ baseUrl: key, apiKey: API_KEY }, { posts: false });
  expect((await runNamed("publish")).said).not.toContain(key);
});

it("an address with different letter case is the same target", async () => {
  const { stranger, root, run } = await openAtStranger(PLAIN, { posts: false });
  await run("publish");
  const upper = `${stranger.baseUrl.replace("http", "HTTP").replace("127.0.0.1", "LOCALHOST")}/`;
  const lower = stranger.baseUrl.replace("127.0.0.1", "localhost");
  await run("publish", "--service", lower);
  const before = stranger.world.log.length;
  const again = await run("publish", "--service", upper);
  expect(again).toMatchObject({ code: 0, said: expect.stringContaining(`Nothing changed at ${lower}`) });
  expect(stranger.world.log.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
  expect(lock).not.toContain("LOCALHOST");
  // As an earlier version stored it.
  await writeFile(join(root, "imprint.lock.json"), lock.replaceAll(lower, upper.replace(/\/$/, "")));
  expect(await run("publish", "--service", upper)).toMatchObject({
    code: 0,
    said: expect.stringContaining("Nothing changed"),
  });
});
