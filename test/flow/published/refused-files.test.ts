import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

it.each([dialectA, dialectB])(
  "a file that is left out is reported with the number of pages that lack it",
  async (host) => {
    const room = { status: 413, words: "file too large.", files: 0 };
    const { run, stranger } = await openAtStranger(host("takes no files", { library: { room } }));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toMatch(/logo.png[^:]*: [^;]*file too large; index.html and 2 other pages are published without it/);
    expect(said).toMatch(/photo.png[^:]*: [^;]*file too large; index.html is published without it/);
    const lacking = [...stranger.world.pages.values()].filter(({ html }) =>
      html.includes('src="data:%2C" alt="Halden Press"'),
    );
    expect(lacking).toHaveLength(3);
  },
);

describe.each([dialectA, dialectB])("a file that is refused as too large for a request (413)", (host) => {
  const room = { status: 413, words: "Request entity too large", files: 2 };
  const open = () => openAtStranger(host("limits requests", { library: { room } }), { posts: false, brandKit: false });

  it("is sent again by each run, without the pages, until the limit is raised", async () => {
    const { run, stranger } = await open();
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("too large") });
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("too large") });
    const writes = writesAt(stranger.world, before);
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.filter((write) => write.includes("/api/pages"))).toEqual([]);
    stranger.byHand.makeRoom(100);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });

  it("isn't sent again once it is accepted that pages lack it", async () => {
    const { run, stranger } = await open();
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
  });
});
