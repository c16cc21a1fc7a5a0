import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, serve } from "./embedded-project.ts";

describe("git add -A after a first publish", () => {
  const git = (root: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
  const staged = (root: string) => {
    git(root, "init", "-q");
    git(root, "add", "-A");
    const lines = git(root, "status", "--porcelain", "--untracked-files=all").split("\n");
    return lines.map((line) => line.slice(3)).filter((file) => file !== "" && !/^(?:dist|src)\//.test(file));
  };

  it("stages the lock file and nothing else of imprint's", async () => {
    const { site, publish } = await openProject();
    await publish();
    expect(staged(site.root)).toEqual(["imprint.config.mjs", "imprint.lock.json"]);
    expect(await readFile(join(site.root, ".imprint/.gitignore"), "utf8")).toBe("*\n");
  });

  it("stages nothing of a data folder elsewhere in the project", async () => {
    const { site, publish } = await openProject('{ port: 0, pagesPort: 0, dataDir: "data/service" }');
    await publish();
    expect(staged(site.root)).toEqual(["imprint.config.mjs", "imprint.lock.json"]);
  });

  it("stages nothing of what `imprint serve` creates", async () => {
    const { site } = await openProject();
    await (await serve(site)).close();
    expect(staged(site.root)).toEqual(["imprint.config.mjs"]);
  });

  it("doesn't change a user's .gitignore, and creates none in a folder with other content", async () => {
    const { site, publish } = await openProject('{ port: 0, pagesPort: 0, dataDir: "src" }');
    await site.write(".imprint/.gitignore", "!images\n");
    await publish();
    expect(await readFile(join(site.root, ".imprint/.gitignore"), "utf8")).toBe("!images\n");
    await expect(readFile(join(site.root, "src/.gitignore"))).rejects.toThrow("ENOENT");
  });
});
