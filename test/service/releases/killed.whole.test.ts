import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../../src/service.ts";
import { isOnPostgres } from "../backend.ts";
import { visit } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { bundleOf, hashOf, releaseClientOf, siteOf } from "./publisher.ts";

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>`;

describe.skipIf(isOnPostgres)("a full disk during the upload of a release", () => {
  it("returns 507, shows readers nothing, and the release continues once there is space", async () => {
    const dataDir = await temporaryFolder();
    const service = await startService({ dataDir, port: 0, pagesPort: 0 });
    onTestFinished(() => service.close());
    const { publish, open, putPages, putContent, send } = releaseClientOf(service);
    const parent = String((await publish(siteOf("old", 3))).body["id"]);
    const asset = { hash: hashOf(LOGO), name: "logo.svg", contentType: "image/svg+xml", bytes: LOGO.length };
    const id = String((await open({ parent, assets: [asset] })).body["id"]);
    const site = siteOf("new", 3);
    await putPages(id, site);
    await rm(join(dataDir, "blobs"), { recursive: true });
    await writeFile(join(dataDir, "blobs"), "in the way");
    const full = await putContent(id, bundleOf(LOGO, ...Object.values(site)));
    expect([full.status, full.body["code"]]).toEqual([507, "storage_full"]);
    const early = await send("POST", `/api/releases/${id}/publish`, { json: {} });
    expect(early.body["code"]).toBe("release_incomplete");
    expect(await (await visit(service, "/p/page-1")).text()).toContain("old");
    await rm(join(dataDir, "blobs"));
    await mkdir(join(dataDir, "blobs", "incoming"), { recursive: true });
    expect((await putContent(id, bundleOf(LOGO, ...Object.values(site)))).status).toBe(200);
    expect((await send("POST", `/api/releases/${id}/publish`, { json: {} })).status).toBe(200);
    expect(await (await visit(service, "/p/page-1")).text()).toContain("new");
  });
});

// The child stores its data in a folder.
describe.skipIf(isOnPostgres)("a service that is killed", () => {
  async function startChild(dataDir: string) {
    const child = fork(new URL("./release-child.ts", import.meta.url), [dataDir], { execArgv: [] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [message]: readonly unknown[] = await once(child, "message");
    const { url, apiKey }: Readonly<Record<string, unknown>> = Object(message);
    const kill = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    const send = async (method: string, path: string, body: string | Uint8Array) => {
      const type = typeof body === "string" ? "application/json" : "application/x-tar";
      const response = await fetch(`${String(url)}${path}`, {
        method,
        body: new Uint8Array(Buffer.from(body)),
        headers: { Authorization: `Bearer ${String(apiKey)}`, "Content-Type": type },
      });
      return Object(await response.json());
    };
    return { kill, send };
  }

  const STEPS = ["open", "pages", "content", "publish"] as const;

  it.each(STEPS)("after %s loses nothing, and readers see one release or the other", async (step) => {
    const dataDir = await temporaryFolder();
    const before = await startService({ dataDir, port: 0, pagesPort: 0 });
    const parent = String((await releaseClientOf(before).publish(siteOf("old", 150))).body["id"]);
    await before.close();

    const { send, kill } = await startChild(dataDir);
    const site = siteOf("new", 150);
    const { id } = await send("POST", "/api/releases", JSON.stringify({ parent, assets: [] }));
    const pages = Object.entries(site).map(([slug, text]) => {
      return { slug, title: `Title of ${slug}`, hash: hashOf(text), bytes: text.length };
    });
    const asked = STEPS.slice(0, STEPS.indexOf(step) + 1);
    if (asked.includes("pages")) await send("PUT", `/api/releases/${id}/pages`, JSON.stringify({ pages }));
    const bundle = bundleOf(...Object.values(site));
    if (asked.includes("content")) await send("PUT", `/api/releases/${id}/content`, bundle);
    if (asked.includes("publish")) await send("POST", `/api/releases/${id}/publish`, "{}");
    await kill();

    const after = await startService({ dataDir, port: 0, pagesPort: 0 });
    onTestFinished(() => after.close());
    const seen = new Set<string>();
    for (const slug of Object.keys(site)) {
      seen.add(/old|new/.exec(await (await visit(after, `/p/${slug}`)).text())?.[0] ?? "nothing");
    }
    expect([...seen]).toEqual([step === "publish" ? "new" : "old"]);
    const client = releaseClientOf(after);
    const list = await client.send("GET", "/api/pages?limit=100");
    expect(new Set(list.items.map(({ version }) => version))).toEqual(new Set([step === "publish" ? 2 : 1]));
    const updates = new Set<unknown>();
    for (let cursor = "", count = 0; ; count++) {
      const { items, body } = await client.send("GET", `/api/events?type=page.updated&limit=100${cursor}`);
      for (const { data } of items) updates.add(Object(data).slug);
      if (items.length > 0) expect(new Set(items.map(({ data }) => Object(data).slug)).size).toBe(items.length);
      if (body["nextCursor"] === null) break;
      cursor = `&cursor=${String(body["nextCursor"])}`;
      expect(count).toBeLessThan(10);
    }
    expect(updates.size).toBe(step === "publish" ? 150 : 0);
    const live = await client.send("GET", "/api/releases?live=true");
    const next = await client.publish(siteOf("next", 150), { parent: String(live.items[0]?.["id"]) });
    expect(next.status).toBe(200);
  });
});
