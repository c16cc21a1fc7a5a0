import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import type { Options } from "../../src/options/schema.ts";
import { startService } from "../../src/service.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

const SEARCH = `<script type="module">import("/pagefind/pagefind.js")</script>`;

async function openProject(routeSet: "a" | "b") {
  const [site, service] = [await createTemporarySite(), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  onTestFinished(() => service.close());
  const baseUrl = service.baseUrl(routeSet);

  /** Writes a post and its entry in the index, as a build does. */
  async function writePost(text: string, build: string) {
    await site.write("dist/post/index.html", htmlPage("Post", `<p>${text}</p>${SEARCH}`));
    await site.remove("dist/pagefind");
    const files = {
      "pagefind.js": "export const search=()=>fetch(import.meta.url);",
      "pagefind-entry.json": JSON.stringify({ languages: { en: { hash: `en_${build}`, wasm: "en" } } }),
      "wasm.en.pagefind": "wasm",
      [`pagefind.en_${build}.pf_meta`]: `meta ${build}`,
      [`index/en_${build}.pf_index`]: `index ${build}`,
      [`fragment/en_${build}.pf_fragment`]: gzipSync(JSON.stringify({ url: "/post/", content: text })),
      "fragment/en_about.pf_fragment": gzipSync(JSON.stringify({ url: "/about/", content: "About" })),
    };
    await Promise.all(Object.entries(files).map(([path, content]) => site.write(`dist/pagefind/${path}`, content)));
  }

  async function run({ prune }: Partial<Pick<Options, "prune">> = {}): Promise<readonly string[]> {
    const { entries, warnings } = await publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false, posts: false, ...(prune !== undefined && { prune }) }),
      target: {
        baseUrl,
        apiKey: service.apiKey,
        routeSet: "auto",
        identity: baseUrl,
        pagesUrl: undefined,
        close: async () => {},
      },
    });
    expect(warnings).toEqual([]);
    return entries
      .filter(({ kind }) => kind !== "keep")
      .map(({ kind, resource, name }) => `${kind} ${resource} ${name}`);
  }

  await site.write("dist/about/index.html", htmlPage("About", SEARCH));
  return { site, run, writePost, service };
}

it.each([
  ["a", ["fragment/en_2.pf_fragment", "index/en_2.pf_index", "pagefind-entry.json", "pagefind.en_2.pf_meta"]],
  ["b", []],
] as const)("a changed post is sent with only the new parts of the index, route set %s", async (routeSet, uploads) => {
  const { run, writePost } = await openProject(routeSet);
  await writePost("Words", "1");
  expect((await run()).filter((line) => line.includes("page"))).toContain("create page pagefind");
  expect(await run()).toEqual([]);
  await writePost("Other words", "2");
  const names = uploads.map((path) => `create asset ${path.split("/").at(-1)}`);
  expect((await run()).toSorted()).toEqual([...names, "update page pagefind", "update page post"].toSorted());
});

it("a site that removes its search removes its index, too", async () => {
  const { run, writePost, site } = await openProject("b");
  await writePost("Words", "1");
  await run();
  await site.remove("dist/pagefind");
  await Promise.all([
    site.write("dist/post/index.html", htmlPage("Post", "")),
    site.write("dist/about/index.html", htmlPage("About", "")),
  ]);
  expect(await run({ prune: true })).toContain("delete page pagefind");
});
