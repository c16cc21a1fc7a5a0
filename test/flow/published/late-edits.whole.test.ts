import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it("waits for later edits at a host whose readers saw one of them only after the run", async () => {
  const dialect = dialectA("A shows edits late", { pages: { changesAfterMs: 6000, tells: "public-url" } });
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
  const edit = (text: string) => write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
  const shown = async () => await (await fetch(stranger.publicUrl("about"))).text();
  await run("publish");
  await edit("Second");
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("readers don't see") });
  await expect.poll(shown, { timeout: 20_000 }).toContain("Second");
  expect(await run("publish")).toMatchObject({ code: 0 });
  await edit("Third");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
  expect(await shown()).toContain("Third");
});
