import { expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy } from "./project.ts";

/** Opens a project at a host that may answer a change of the page about with 204 without storing it. */
async function openAtForgetful(dialect: Dialect) {
  const project = await openBehindProxy(dialect, { posts: false, brandKit: false });
  const { stranger, proxy } = project;
  const forget = (isForgetful: boolean) =>
    proxy.meddle(({ method, path, answer }) => {
      const isOf = path.endsWith("/about") || path.endsWith(`/${stranger.world.pages.get("about")?.id}`);
      if (!isForgetful || method === "GET" || !isOf) return undefined;
      answer.writeHead(204).end();
      return Promise.resolve();
    });
  return { ...project, forget };
}

it.each([
  { dialect: dialectA("A"), hasMemory: true },
  { dialect: dialectA("A that lists times", { lists: { fields: "times-too" } }), hasMemory: false },
  { dialect: dialectB("B", { pages: { putBody: "multipart" } }), hasMemory: true },
])(
  "a change that $dialect.name acknowledges without storing it is reported, and sent again by the next run",
  async ({ dialect, hasMemory }) => {
    const { stranger, run, write, forget, loseState } = await openAtForgetful(dialect);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, anew</h1>"));
    forget(true);
    const said = expect.stringContaining("has changed the page about, and still has the version before");
    expect(await run("publish")).toMatchObject({ code: 1, said });
    expect(await run("publish")).toMatchObject({ code: 1, said });
    forget(false);
    if (!hasMemory) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
    expect(stranger.world.pages.get("about")?.html).toContain("About us, anew");
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);
