import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { passOn, type Forwarded, type Meddled } from "../../faults/proxy.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const DIALECT = dialectA("A with files beside its API", {
  library: { addresses: "relative" },
  pages: { tells: "url" },
});
const PRICES = "%PDF-1.4\n".padEnd(1993, "Prices of our prints. ") + "\n%%EOF\n";

/** Opens a project with a PDF on its second page, at a host that may serve files differently. */
async function openWithPdf() {
  const project = await openBehindProxy(DIALECT, OPTIONS);
  const about = (text: string) => htmlPage("About", `<h1>About</h1><p>${text} <a href="/prices.pdf">Prices</a></p>`);
  await project.write("dist/about/index.html", about("Our prices."));
  await project.write("dist/prices.pdf", PRICES);
  const serve = (change: ((file: Forwarded) => Partial<Forwarded>) | undefined, ending = ".pdf") =>
    project.proxy.meddle((exchange) =>
      change === undefined || !exchange.path.endsWith(ending) ? undefined : serveOther(exchange, change),
    );
  return { ...project, about, serve };
}

async function serveOther({ forward, answer }: Meddled, change: (file: Forwarded) => Partial<Forwarded>) {
  const file = await forward();
  const { headers, ...other } = { ...file, ...change(file) };
  const { "transfer-encoding": _chunked, ...others } = headers;
  passOn(answer, { ...other, headers: { ...others, "content-length": String(other.bytes.length) } });
}

const half = ({ bytes }: Forwarded) => ({ bytes: bytes.subarray(0, Math.floor(bytes.length / 2)) });

it("reports a PDF of which the library serves only the beginning, and uploads it once", async () => {
  const { run, serve, write, about, stranger, loseState } = await openWithPdf();
  serve(half);
  const lacks = expect.stringMatching(
    /prices\.pdf: .* readers get 1000 bytes instead of 2000; about\S* uses \/prices\.pdf/,
  );
  expect(await run("publish")).toMatchObject({ code: 1, said: lacks });
  const { size } = stranger.world.assets;
  await write("dist/about/index.html", about("Our new prices."));
  for (const lose of [async () => {}, loseState]) {
    await lose();
    expect(await run("publish")).toMatchObject({ code: 1, said: lacks });
  }
  expect(stranger.world.assets.size).toBe(size);
  expect(stranger.world.pages.get("about")?.html).toContain('href="/prices.pdf"');
});

it("publishes a PDF once the library serves all of it", async () => {
  const { run, serve, stranger } = await openWithPdf();
  serve(half);
  expect(await run("publish")).toMatchObject({ code: 1 });
  const { size } = stranger.world.assets;
  serve(undefined);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.assets.size).toBe(size);
  expect(stranger.world.pages.get("about")?.html).toMatch(/href="[^"]*\/prices[^"/]+"/);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

it("uploads a PDF again once its beginning was deleted from the library", async () => {
  const { run, serve, stranger } = await openWithPdf();
  serve(half);
  expect(await run("publish")).toMatchObject({ code: 1 });
  serve(undefined);
  for (const [id, { name }] of stranger.world.assets) if (name.startsWith("prices")) stranger.world.assets.delete(id);
  stranger.world.pass(600_000);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("about")?.html).toMatch(/href="[^"]*\/prices[^"/]+"/);
});

it("reports a PDF of which the library serves only the beginning after both memories were lost", async () => {
  const { run, serve, stranger, loseState, loseLock } = await openWithPdf();
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { size } = stranger.world.assets;
  serve(half);
  await loseState();
  await loseLock();
  const lacks = expect.stringMatching(/prices\.pdf: .* readers get 1000 bytes instead of 2000/);
  for (let runs = 0; runs < 2; runs += 1) expect(await run("publish")).toMatchObject({ code: 1, said: lacks });
  expect(stranger.world.assets.size).toBe(size);
});

it("reports a picture of a later page of which the library serves only the beginning", async () => {
  const { run, serve, write, configure } = await openWithPdf();
  await configure({ ...OPTIONS, images: { optimize: false } });
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width: 400, height: 400, channels: 3, background: "gray", noise } });
  await write("dist/noise.png", await picture.png().toBuffer());
  await write("dist/gallery/index.html", htmlPage("Gallery", `<h1>Gallery</h1><img src="/noise.png" alt="Noise">`));
  serve(({ bytes }) => ({ bytes: bytes.subarray(0, 100_000) }), ".png");
  const { code, said } = await run("publish");
  expect(code).toBe(1);
  expect(said).toMatch(/noise\.png: .* readers get 100000 bytes instead of \d+/);
});

it("verifies that readers get all bytes of a PDF", async () => {
  const { run, serve } = await openWithPdf();
  expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
  serve(half);
  const { code, said } = await run("publish", "--verify");
  expect(code).toBe(1);
  expect(said).toMatch(/file \S*prices\S*\.pdf: 1000 bytes instead of 2000 used by 1 page: about/);
});

it("inlines a font of which the library serves only a part", async () => {
  const { run, serve, write, stranger } = await openWithPdf();
  await write("dist/about/index.html", htmlPage("About", "<style>@font-face{font-family:P;src:url(/p.woff2)}</style>"));
  await write("dist/p.woff2", "wOF2".padEnd(500, "font"));
  serve(half, ".woff2");
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("about")?.html).toContain("url(data:font/woff2");
});

it("takes a compressed, minified or converted file for whole", async () => {
  const { run, serve, write, stranger } = await openWithPdf();
  serve(({ bytes, headers }) => ({ bytes: gzipSync(bytes), headers: { ...headers, "content-encoding": "gzip" } }));
  expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
  await write("dist/about/index.html", htmlPage("About", `<video src="/film.mp4"></video>`));
  await write("dist/film.mp4", "a long film".repeat(50));
  serve(() => ({ bytes: Buffer.from("a short film") }), ".mp4");
  expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
  expect(stranger.world.pages.get("about")?.html).toMatch(/<video src="[^"]*\/film/);
});

it("counts pictures that were uploaded before they turned out to be cut only as put into pages", async () => {
  const dialect = dialectA("A that cuts files", { library: { serves: "cut" } });
  const { run, write } = await openAtStranger(dialect, OPTIONS);
  await write("dist/_astro/site.css", "body{color:#7a1f2b}");
  const { said } = await run("publish");
  expect(said).toMatch(/assets 4 put into pages .*< photo\.png .*serves only the beginning/);
  expect(said).not.toMatch(/assets \d+ published/);
});
