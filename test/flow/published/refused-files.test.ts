import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { MAX_INLINE_BYTES } from "../../../src/sync/plan/assets.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy, writesAt } from "./project.ts";

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

it.each([dialectA, dialectB])(
  "a large image that is small as it would be sent is inlined in each run",
  async (host) => {
    const room = { status: 415, words: "Unsupported media type", files: 0 };
    const dialect = host("takes no files", { library: { room } });
    const { run, stranger, write, loseState } = await openAtStranger(dialect, { posts: false, brandKit: false });
    const large = sharp({ create: { width: 400, height: 300, channels: 3, background: "#b5651d" } });
    const bytes = await large.png({ compressionLevel: 0 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(MAX_INLINE_BYTES);
    await write("dist/photo.png", bytes);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("index")?.html).toContain('src="data:image/webp;base64,');
    const before = stranger.world.log.length;
    for (const lose of [async () => {}, loseState]) {
      await lose();
      expect(await run("plan")).toMatchObject({ code: 0 });
      expect(await run("publish")).toMatchObject({ code: 0 });
    }
    expect(writesAt(stranger.world, before)).toEqual([]);
    await write("dist/index.html", htmlPage("Halden Press", '<h1>Halden</h1><img src="/photo.png" alt="The press">'));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("index")?.html).toMatch(/<h1>Halden<\/h1>.*src="data:image\/webp;base64,/s);
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

it("quotes a text that a library answers instead of a record, once for each file", async () => {
  const { run, proxy } = await openBehindProxy(dialectA("A"), { posts: false, brandKit: false });
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "POST" || !path.startsWith("/api/library")) return undefined;
    answer.writeHead(200, { "content-type": "text/plain" }).end("ERROR: virus scanner unavailable");
    return Promise.resolve();
  });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({
    code: 1,
    said: expect.stringContaining('"ERROR: virus scanner unavailable"'),
  });
  expect(said.match(/x logo\.png: /g)).toHaveLength(1);
});
