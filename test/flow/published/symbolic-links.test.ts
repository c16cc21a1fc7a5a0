import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger } from "./project.ts";

it("publishes the targets of symbolic links in dist within the project, and names the others", async () => {
  const { stranger, root, dist, run, write } = await openAtStranger(dialectA("A plain"), { posts: false });
  await write("shared/terms/index.html", htmlPage("Terms", "<h1>Terms of the shop</h1>"));
  await write("shared/prices.pdf", "%PDF-1.4 prices");
  await write(
    "dist/about/index.html",
    htmlPage("About", `<a href="/prices.pdf">Prices</a> <a href="/legal/terms/">T</a>`),
  );
  await write(".env", "KEY=secret");
  await mkdir(join(root, "shared/more"));
  const links = [
    [join(root, "shared"), "legal"],
    ["../shared/prices.pdf", "prices.pdf"],
    [root, "loop"],
    [join(root, "shared"), "../shared/more/again"],
    [join(root, "nothing"), "gone.html"],
    [join(root, ".env"), "env.txt"],
    [process.cwd(), "outside"],
  ] as const;
  for (const [target, path] of links) await symlink(target, join(dist, path));

  const { code, said } = await run("publish");
  expect(code).toBe(0);
  const pages = ["about", "legal-terms"].map((slug) => stranger.publicUrl(slug));
  expect(await deadAddresses(pages)).toEqual([]);
  expect(await (await fetch(stranger.publicUrl("legal-terms"))).text()).toContain("Terms of the shop");
  const why = "This symbolic link is not published, because";
  expect(said).toContain(`gone.html ${why} its target doesn't exist`);
  expect(said).toMatch(
    /2 files .{0,40} because it points to a folder that contains it\.[^.]+\. loop legal\/more\/again/,
  );
  expect(said).toMatch(/2 files .{0,40} because its target isn't one of the project's files\.[^.]+\. env\.txt outside/);
  expect(JSON.stringify([...stranger.world.assets.values()].map(({ name }) => name))).not.toContain("env");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});
