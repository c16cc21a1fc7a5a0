import { expect, it } from "vitest";
import { htmlPage } from "../temporary-site.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtService, openAtStranger } from "./project.ts";

it("a publish after a rollback reports the rollback, not another checkout", async () => {
  const { run, write } = await openAtService("a", { posts: false });
  const about = (text: string) => write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
  await about("One");
  await run("publish");
  await about("Two");
  await run("publish");
  await run("releases", "rollback", "--yes");
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({
    code: 0,
    said: expect.stringMatching(/The release rel_\w+ was restored after/),
  });
  expect(said).not.toContain("nother checkout");
  await about("Three");
  expect((await run("publish")).said).not.toContain("was restored");
});

it.each([
  dialectA("A", { lists: { fields: "times-too" } }),
  dialectB("B", { lists: { fields: "times-too" }, pages: { putBody: "multipart" } }),
])("a publish after $name was restored from a backup reports that, not another checkout", async (dialect) => {
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
  const { pages } = stranger.world;
  const about = (text: string) => write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
  await about("One");
  await run("publish", "--accept");
  const backup = [...pages];
  await about("Two");
  await run("publish");
  for (const [slug, page] of backup) pages.set(slug, page);
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({
    code: 0,
    said: expect.stringMatching(/The service shows older versions of about .* because a backup was restored/),
  });
  expect(said).not.toContain("nother checkout");
  expect(pages.get("about")?.html).toContain("Two");
});
