import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addressOf, openAtService, send } from "./project.ts";

const INK = "src/content/blog/ink.md";
const OLD = "Ink is a paint that is as old as writing.";
const NEW = `${OLD} It is also cheap.`;
const post = (body: string) => `---\ntitle: On ink\npubDate: 2026-01-05\n---\n\n${body}\n`;

describe.each(["a", "b"] as const)("a post that git restored with the lock file, route set %s", (routeSet) => {
  async function openRestored() {
    const project = await openAtService(routeSet, { posts: { blog: { create: true } } });
    const { root, run, write, remove, service } = project;
    await remove("src/content/blog/paper.md");
    await write(INK, post(OLD));
    expect(await run("publish")).toMatchObject({ code: 0 });
    const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
    await write(INK, post(NEW));
    expect(await run("publish")).toMatchObject({ code: 0 });
    await write(INK, post(OLD));
    await write("imprint.lock.json", lock);
    const shown = async () => await (await fetch(`${service.pagesUrl}/blog/blog/ink`)).text();
    expect(await shown()).toContain(NEW);
    return { ...project, shown };
  }

  it("is sent again as the file has it", async () => {
    const { run, shown } = await openRestored();
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).not.toContain("edited on the service");
    expect(await shown()).not.toContain("It is also cheap");
    expect((await run("publish")).said).toContain("Nothing changed");
  });

  it("is left alone if somebody edited it on the service", async () => {
    const { run, shown, service } = await openRestored();
    await send(addressOf(service, routeSet), ["PATCH", "/api/blogs/blog/posts/ink"], JSON.stringify({ title: "Inks" }));
    expect((await run("publish")).said).toContain("edited on the service");
    expect(await shown()).toContain(NEW);
  });
});
