import { gzipSync } from "node:zlib";
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
