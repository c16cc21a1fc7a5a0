import { createHash } from "node:crypto";
import { request } from "undici";
import { packTar } from "../../../src/client/releases/tar.ts";
import { pageHtml } from "./fill.ts";

const PAGES_AT_ONCE = 500;

/** Publishes new pages in one release, as the publisher does: lists, bundles, then publishing all at once. */
export async function publishRelease(apiUrl: string, { apiKey, pages }: { apiKey: string; pages: number }) {
  async function send(
    method: "POST" | "PUT",
    path: string,
    body: object | Uint8Array,
  ): Promise<Record<string, unknown>> {
    const isBundle = body instanceof Uint8Array;
    const answer = await request(`${apiUrl}/api/releases${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": isBundle ? "application/x-tar" : "application/json",
      },
      body: isBundle ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} responded ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  }

  const { id } = await send("POST", "", { parent: null, siteId: null, preview: null, assets: [] });
  for (let from = 0; from < pages; from += PAGES_AT_ONCE) {
    const contents = Array.from({ length: Math.min(PAGES_AT_ONCE, pages - from) }, (_, place) => {
      const bytes = Buffer.from(pageHtml(1_000_000 + from + place));
      const hash = createHash("sha256").update(bytes).digest("hex");
      return { slug: `released-${from + place}`, hash, bytes };
    });
    const listed = contents.map(({ slug, hash, bytes }) => ({ slug, title: slug, hash, bytes: bytes.length }));
    await send("PUT", `/${String(id)}/pages`, { pages: listed, removes: [] });
    const tar = Buffer.concat(
      packTar(contents.map(({ hash, bytes }) => ({ name: hash, bytes }))).map((part) => {
        if (part instanceof Uint8Array) return part;
        throw new Error("The bundle holds a file of the disk.");
      }),
    );
    await send("PUT", `/${String(id)}/content`, tar);
  }
  await send("POST", `/${String(id)}/publish`, { manifest: "bench" });
  // Waits until every page is written.
  const listed = await request(`${apiUrl}/api/pages?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  await listed.body.dump();
}
