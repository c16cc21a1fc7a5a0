import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger } from "./project.ts";

const BLOG = "src/content/blog";
const PDF = Buffer.from("%PDF-1.4\n% prices\n%%EOF\n");
const A = dialectA("A", { posts: { tells: "url" }, pages: { tells: "public-url" } });
const B = dialectB("B", { posts: { tells: "url" }, pages: { putBody: "multipart" } });

async function open(dialect: typeof A, body: string) {
  const project = await openAtStranger(dialect, { posts: { blog: { create: true } }, brandKit: false });
  await Promise.all(["ink.md", "paper.md"].map((name) => project.remove(`${BLOG}/${name}`)));
  await project.write(`${BLOG}/linker.md`, `---\ntitle: Linker\npubDate: 2026-01-05\n---\n\n${body}\n`);
  const { world } = project.stranger;
  const findPost = () => [...world.posts.values()].flat().find(({ slug }) => slug === "linker");
  const addressOf = () => `${world.addresses.pages}/blog/${[...world.posts.keys()][0]}/linker`;
  return { ...project, findPost, addressOf };
}

describe("a post that links to a document of the site", () => {
  it.each([true, false])("leads to the library (a page links to it, too: %s)", async (isLinkedByPage) => {
    const { stranger, run, write, findPost, addressOf } = await open(A, "The [price list](/files/prices.pdf#page=2).");
    await write("public/files/prices.pdf", PDF);
    await write("dist/files/prices.pdf", PDF);
    if (isLinkedByPage) {
      await write("dist/about/index.html", htmlPage("About", '<a href="/files/prices.pdf">Prices</a>'));
    }
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("doesn't point") });
    expect(findPost()?.html).toMatch(/href="http[^"]+\/files\/[^"]+\.pdf#page=2"/);
    expect(await deadAddresses([addressOf()])).toEqual([]);
    expect([...stranger.world.assets.values()].filter(({ name }) => name.endsWith(".pdf"))).toHaveLength(1);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it("isn't sent where the library accepts only images, and the report says why", async () => {
    const { run, write, findPost } = await open(B, "The [price list](/files/prices.pdf).");
    await write("public/files/prices.pdf", PDF);
    await write("dist/files/prices.pdf", PDF);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect([code, said]).toEqual([1, expect.stringMatching(/linker.*prices\.pdf/)]);
      expect(findPost()).toBeUndefined();
    }
  });

  it("isn't sent where the library refuses such files, in any run", async () => {
    const dialect = dialectA("A", { pages: { tells: "public-url" }, library: { takes: "no-svg", refusedType: 415 } });
    const { run, write, remove, findPost } = await open(dialect, "The [price list](/files/prices.pdf).");
    await remove("dist/favicon.svg");
    await write("public/files/prices.pdf", PDF);
    await write("dist/files/prices.pdf", PDF);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect([code, said]).toEqual([1, expect.stringMatching(/linker\.md needs it\b[^]*x linker/)]);
      expect(findPost()).toBeUndefined();
    }
  });

  it("never reads a file outside the public folder", async () => {
    const { run, write, stranger } = await open(A, "See [this](../../../notes.pdf) and [that](/../notes.pdf).");
    await write("notes.pdf", PDF);
    await run("publish");
    expect([...stranger.world.assets.values()].filter(({ name }) => name.endsWith(".pdf"))).toEqual([]);
  });
});

it.each([A, B])("a post's relative links lead where they lead on the site: $name", async (dialect) => {
  const { run, write, findPost, addressOf } = await open(dialect, "To [about](../../about/#team), [home](../..).");
  await write("dist/blog/linker/index.html", htmlPage("Linker", "<article><p>To about, home.</p></article>"));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("doesn't point") });
  expect(findPost()?.html).toMatch(/href="[^"]*\/p\/about#team"/);
  expect(await deadAddresses([addressOf()])).toEqual([]);
});
