import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { buildBlogSite, copyBlogSite, openService } from "./blog-site.ts";

/** A project in a subfolder, whose collection `blog` is in another folder than `src/content/blog`. */
async function openProject(base: string) {
  const [folder, service] = [await copyBlogSite(), await openService()];
  const [root, posts] = [join(folder, "web"), { collection: "blog" }];
  await cp(join(folder, "src"), join(root, "src"), { recursive: true });
  await mkdir(dirname(join(root, base)), { recursive: true });
  await rename(join(root, "src/content/blog"), join(root, base));
  for (const name of ["second.mdx", "later.md"]) await rm(join(root, base, name));
  await writeFile(join(root, base, "first.md"), "---\ntitle: First\npubDate: 2026-01-05\n---\n\nHello.\n");
  const config = join(root, "src/content.config.ts");
  await writeFile(config, (await readFile(config, "utf8")).replace("./src/content/blog", base));
  const options = { service: service.baseUrl("a"), posts };
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(options)};\n`);
  async function run(...argv: readonly string[]) {
    let [out, error] = ["", ""];
    const code = await runCli(argv, {
      ...{ cwd: root, environment: { NO_COLOR: "1", IMPRINT_API_KEY: service.apiKey } },
      out: { write: (text) => void (out += text) },
      error: { write: (text) => void (error += text.replaceAll(/\s+/g, " ")) },
    });
    return { code, out, error };
  }
  async function plan(...argv: readonly string[]) {
    const { code, out, error } = await run(...argv, "--json");
    const { entries = [], posts: own = [] } = out === "" ? {} : JSON.parse(out);
    const listed = [...own, ...entries.filter(({ resource }: { resource: string }) => resource === "post")];
    return { code, error, posts: listed.map(({ kind, slug, name = slug }) => `${kind} ${name}`).toSorted() };
  }
  const build = (publish: boolean) => buildBlogSite(root, { options: { ...options, publish } });
  return { root, run, plan, build };
}

it.each(["./src/data/blog", "../content/blog"])(
  "commands after a build read the posts of a collection from its folder, %s",
  async (base) => {
    const { plan, build } = await openProject(base);
    await build(true);
    for (const command of [["plan"], ["publish"], ["posts", "plan"]]) {
      expect([command, await plan(...command)]).toEqual([
        command,
        { code: 0, error: expect.any(String), posts: ["keep first", "keep its-own-slug"] },
      ]);
    }
  },
);

it("a build that doesn't publish also keeps the folder of a collection, as long as it exists", async () => {
  const { root, run, plan, build } = await openProject("./src/data/blog");
  const { code, error } = await run("posts", "plan");
  expect([code, error]).toEqual([2, expect.stringContaining("The posts folder, src/content/blog, doesn't exist.")]);
  expect(error).toContain("run `astro build` once");
  await build(false);
  expect((await plan("plan")).posts).toEqual(["create first", "create its-own-slug"]);
  expect(JSON.parse(await readFile(join(root, ".imprint/build.json"), "utf8")).hints.posts).toEqual({
    collection: "blog",
    folder: "src/data/blog",
  });
  await rename(join(root, "src/data/blog"), join(root, "src/data/moved"));
  expect((await run("posts", "plan")).error).toContain("The posts folder, src/content/blog, doesn't exist.");
});
