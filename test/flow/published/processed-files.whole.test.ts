import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../../src/publish.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY, startStranger } from "../../strangers/host.ts";
import { createTemporarySite } from "../temporary-site.ts";
import { passOn } from "../../faults/proxy.ts";
import { deadAddresses, openAtStranger, openBehindProxy } from "./project.ts";

async function openProject(dialect: ReturnType<typeof dialectA>) {
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const { world, publicUrl } = stranger;
  const site = await createTemporarySite();
  const { baseUrl } = stranger;
  const run = (sleep?: () => Promise<void>) =>
    publish({
      projectRoot: site.root,
      dist: join(site.root, "dist"),
      options: parseOptions({ brandKit: false, posts: { blog: { create: true } } }),
      ...(sleep && { connection: { sleep } }),
      target: {
        ...{ baseUrl, apiKey: API_KEY, routeSet: dialect.routeSet, identity: baseUrl },
        pagesUrl: undefined,
        close: async () => {},
      },
    });
  const sentTexts = () => [...world.pages.values(), ...[...world.posts.values()].flat()].map(({ html }) => html);
  const finishProcessing = () => {
    for (const [id, asset] of world.assets) world.assets.set(id, { ...asset, createdAt: "2026-01-01T00:00:00.000Z" });
  };
  const pageAddresses = ["index", "about"].map((slug) => publicUrl(slug));
  return { world, run, sentTexts, finishProcessing, pageAddresses };
}

const hashesOf = ({ assets }: Awaited<ReturnType<typeof openProject>>["world"]) =>
  [...assets.values()].map(({ sha256 }) => sha256).toSorted();

it.each([
  dialectA("A", { library: { processesMs: 1200 } }),
  dialectB("B", { library: { processesMs: 1200, names: "random", uploaded: 202 } }),
])("uses the address that the library of $name shows once it has processed a file", async (dialect) => {
  const { world, run, sentTexts, pageAddresses } = await openProject(dialect);
  expect(await run()).toMatchObject({ exitCode: 0 });
  for (const html of sentTexts()) expect(html).not.toMatch(/<img[^>]* src="data:/);
  expect(await deadAddresses(pageAddresses)).toEqual([]);
  expect(hashesOf(world)).toEqual([...new Set(hashesOf(world))]);
});

it.each([
  dialectA("A", { library: { processesMs: 6000, processing: "at its address" } }),
  dialectB("B", { library: { processesMs: 6000, processing: "at its address" }, pages: { putBody: "multipart" } }),
])("waits until readers get a file whose address the library of $name names before", async (dialect) => {
  const { run, stranger } = await openAtStranger(dialect, { brandKit: false, posts: { blog: { create: true } } });
  const { code, said } = await run("publish", "--verify");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
  for (const { html } of stranger.world.pages.values()) expect(html).not.toMatch(/<img[^>]* src="data:/);
});

it("publishes pages with a file that readers don't get after half a minute", async () => {
  const dialect = dialectA("A", { library: { processesMs: 3_600_000, processing: "at its address" } });
  const { run } = await openAtStranger(dialect, { brandKit: false, posts: false });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("returns 404") });
  expect(said).toContain("pages 3 published");
});

it("sends no page or post without the address of a file that is processed for long, and uploads it once", async () => {
  const { world, run, sentTexts, finishProcessing, pageAddresses } = await openProject(
    dialectA("A", { library: { processesMs: 3_600_000 } }),
  );
  for (const _ of ["first", "second"]) {
    const { exitCode, entries } = await run(async () => {});
    expect(exitCode).toBe(1);
    const failed = entries.find(({ resource, kind }) => resource === "asset" && kind === "failed");
    expect(failed?.error).toMatchObject({ code: "NOT_LIVE", message: expect.stringContaining("still processing") });
    expect(sentTexts().filter((html) => html.includes('src="data:'))).toEqual([]);
    expect(hashesOf(world)).toEqual([...new Set(hashesOf(world))]);
  }
  finishProcessing();
  expect(await run()).toMatchObject({ exitCode: 0 });
  expect(await deadAddresses(pageAddresses)).toEqual([]);
  expect(hashesOf(world)).toEqual([...new Set(hashesOf(world))]);
});

it("inlines a file that the library can't process, with the library's reason, and uploads it once", async () => {
  const { proxy, run } = await openBehindProxy(dialectA("A"), { brandKit: false, posts: false });
  let uploads = 0;
  const isPhoto = (json: string) => json.includes("photo");
  proxy.meddle(({ method, path, answer, forward }) => {
    if (!/\/(?:library|assets)\b/.test(path)) return undefined;
    return forward().then((response) => {
      const text = response.bytes.toString();
      if (method === "POST" && isPhoto(text)) uploads += 1;
      const failed = text.replace(/\{[^{}]*photo[^{}]*\}/g, (record) =>
        JSON.stringify({ ...JSON.parse(record), url: null, state: "failed", error: "unsupported color profile" }),
      );
      passOn(answer, { ...response, bytes: Buffer.from(failed) });
    });
  });
  const first = await run("publish");
  expect(first).toMatchObject({ code: 0, said: expect.stringContaining("could not process photo") });
  expect(first.said).toContain('"unsupported color profile"');
  for (let times = 0; times < 2; times += 1) expect(await run("publish")).toMatchObject({ code: 0 });
  expect(uploads).toBe(1);
});
