import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runGit } from "../../../src/posts/local/git.ts";

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imprint-git-"));
  await mkdir(at("repository"));
  await promisify(execFile)("git", ["init", "--quiet", at("repository")]);
  await mkdir(at("repository/posts"));
  await symlink(at("repository/posts"), at("linked"));
});
afterAll(() => rm(folder, { recursive: true }));

it("doesn't run git outside a repository, where it would only fail", async () => {
  // Git itself can do this anywhere.
  expect(await runGit(["--version"], { cwd: folder })).toBeUndefined();
  expect(await runGit(["--version"], { cwd: at("missing") })).toBeUndefined();
});

it("finds the repository of a subfolder, of a linked folder, and of GIT_DIR", async () => {
  const prefix = ["rev-parse", "--show-prefix"];
  expect(await runGit(prefix, { cwd: at("repository") })).toBe("\n");
  expect(await runGit(prefix, { cwd: at("repository/posts") })).toBe("posts/\n");
  expect(await runGit(prefix, { cwd: at("linked") })).toBe("posts/\n");
  const environment = { ...process.env, GIT_DIR: at("repository/.git") };
  expect(await runGit(["rev-parse", "--git-dir"], { cwd: folder, environment })).toBe(`${at("repository/.git")}\n`);
});
