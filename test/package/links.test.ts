import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path/posix";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const repository = new URL("../../", import.meta.url);

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

it("every link of the README and the docs leads to a file that is in the package", async () => {
  const pack = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const { stdout } = await promisify(execFile)("npm", pack, { cwd: repository, maxBuffer: 1 << 24 });
  const [{ files }]: readonly [Packed] = JSON.parse(stdout);
  const paths = new Set(files.map(({ path }) => path));
  const broken: string[] = [];
  for (const path of paths) {
    if (!path.endsWith(".md") || path.startsWith("dist/")) continue;
    const text = (await readFile(new URL(path, repository), "utf8")).replaceAll(/^```[\s\S]*?^```/gm, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const own = links.filter((link) => !/^(?:[a-z]+:|#)/.test(link));
    const dead = own.filter((link) => !paths.has(normalize(join(dirname(path), link.replace(/#.*/, "")))));
    broken.push(...dead.map((link) => `${path}: ${link}`));
  }
  expect(broken).toEqual([]);
});
