import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject, writesAt, type Project } from "./project.ts";

const name = (project: Project, text: string) => project.write("package.json", JSON.stringify({ name: text }));

it.each([dialectA("A"), dialectB("B")])(
  "another site in a copy of the folder publishes nothing over the original: $name",
  async (dialect) => {
    const { stranger, ...original } = await openAtStranger(dialect, { posts: false });
    const { world, baseUrl } = stranger;
    await name(original, "halden-press");
    expect(await original.run("publish", "--accept")).toMatchObject({ code: 0 });
    const options = { posts: false, site: { name: "Otter Club" }, slugs: { prefix: "otter" }, prune: true };
    const copy = await openProject({ baseUrl, apiKey: API_KEY, world }, options);
    await cp(join(original.root, "imprint.lock.json"), join(copy.root, "imprint.lock.json"));
    await name(copy, "otter-club");
    await copy.write("dist/index.html", htmlPage("Otter Club", "<h1>Otter Club</h1>"));
    const sent = world.log.length;
    for (const command of ["plan", "publish"]) {
      const { code, said } = await copy.run(command);
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("LOCK_COPIED") });
      expect(said).toContain('"Halden Press" (package halden-press), and this is "Otter Club" (package otter-club)');
    }
    expect(writesAt(world, sent)).toEqual([]);
    const pages = [...world.pages.keys()];
    await copy.loseLock();
    await copy.loseState();
    expect(await copy.run("publish", "--accept")).toMatchObject({ code: 0 });
    expect([...world.pages.keys()]).toEqual(expect.arrayContaining(pages));
    expect(world.sites.size).toBe(2);
  },
);

it.each(["the site", "the package"])("renaming only %s publishes as before", async (what) => {
  const { stranger, ...project } = await openAtStranger(dialectA("A"), { posts: false });
  await name(project, "halden-press");
  expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
  if (what === "the site") await project.configure({ posts: false, site: { name: "Otter Club" } });
  else await name(project, "otter-club");
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.sites.size).toBe(1);
});
