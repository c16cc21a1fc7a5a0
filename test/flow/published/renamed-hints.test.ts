import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { openAtStranger, openProject } from "./project.ts";

it("a post that another checkout may have published is named by its slug in each run", async () => {
  const options = { posts: {}, brandKit: false };
  const first = await openAtStranger(dialectA("A"), options);
  const { stranger } = first;
  expect(await first.run("publish")).toMatchObject({ code: 0 });
  const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY, world: stranger.world }, options);
  const lock = await readFile(join(first.root, "imprint.lock.json"), "utf8");
  await writeFile(join(second.root, "imprint.lock.json"), lock);
  const post = (text: string) => `---\ntitle: On plates\npubDate: 2026-03-05\n---\n\n${text}\n`;
  await second.write("src/content/blog/plates.md", post("A plate is a sheet of metal."));
  expect(await second.run("publish")).toMatchObject({ code: 0 });
  await first.write("src/content/blog/plate-making.md", post("Plates are made in the morning."));
  for (let runs = 0; runs < 2; runs++) {
    const { code, said } = await first.run("publish");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toContain("`imprint posts rename plates plate-making`");
  }
  expect(await first.run("posts", "rename", "plates", "plate-making")).toMatchObject({ code: 0 });
});
