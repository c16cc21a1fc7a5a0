import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path/posix";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const repository = new URL("../../", import.meta.url);

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

/** The link targets in a Markdown text: its headings as GitHub names them, and HTML anchors. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/(?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name)]);
}

it.each(["astro-imprint", "astro-imprint-service"])(
  "every link of the README and the docs of %s leads to a file and an anchor in the package",
  async (name) => {
    const folder = name === "astro-imprint" ? repository : new URL("src/service/", repository);
    const pack = ["pack", "--dry-run", "--ignore-scripts", "--json"];
    const { stdout } = await promisify(execFile)("npm", pack, { cwd: folder, maxBuffer: 1 << 24 });
    const [{ files }]: readonly [Packed] = JSON.parse(stdout);
    const paths = new Set(files.map(({ path }) => path));
    const read = async (path: string) =>
      (await readFile(new URL(path, folder), "utf8")).replaceAll(/^```[\s\S]*?^```/gm, "");
    const broken: string[] = [];
    for (const path of paths) {
      if (!path.endsWith(".md") || path.startsWith("dist/")) continue;
      const links = [...(await read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      for (const link of links.filter((own) => !/^[a-z]+:/.test(own))) {
        const [target = "", anchor] = link.split("#");
        const file = target === "" ? path : normalize(join(dirname(path), target));
        const isThere = paths.has(file) && (anchor === undefined || anchorsOf(await read(file)).has(anchor));
        if (!isThere) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  },
);
