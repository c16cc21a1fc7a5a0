import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { writePostId } from "../../src/posts/write/write-post-id.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "./folder.ts";

const TEXT = `---\ntitle: On ink\n---\n${"Ink is a paint. ".repeat(300)}\n`;

it("a post whose id doesn't fit on the disk stays intact", async () => {
  const root = await temporaryFolder();
  const file = join(root, "ink.md");
  await writeFile(file, TEXT);
  const module = pathToFileURL(join(REPOSITORY, "src/posts/write/write-post-id.ts")).href;
  const script = `import { writePostId } from ${JSON.stringify(module)};
    process.stdout.write(String(await writePostId(${JSON.stringify(file)}, "po_1")));`;
  // Like on a full disk: no file can exceed 2 KiB.
  const { stdout } = spawnSync(
    "bash",
    ["-c", 'ulimit -f 2; exec "$0" --input-type=module -e "$1"', process.execPath, script],
    {
      encoding: "utf8",
    },
  );
  expect(stdout).toContain("Its file can't be written (EFBIG");
  expect(await readFile(file, "utf8")).toBe(TEXT);
  expect(await readdir(root)).toEqual(["ink.md"]);
});

it("a file keeps its permissions, and a link points to the same file", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "notes"));
  const file = join(root, "notes/ink.md");
  await writeFile(file, TEXT);
  await chmod(file, 0o664);
  await symlink(file, join(root, "ink.md"));
  expect(await writePostId(join(root, "ink.md"), "po_1")).toBeUndefined();
  expect(await readFile(file, "utf8")).toContain("imprintId: po_1");
  expect((await stat(file)).mode & 0o777).toBe(0o664);
});
