import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { Service } from "../../../src/service.ts";
import { clientOf, type Answer, type Fields, type SendOptions } from "../open-service.ts";

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Creates an archive of files by name (ustar). */
export function tarOf(entries: readonly (readonly [name: string, content: string | Uint8Array])[]): Buffer {
  const blocks = entries.flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        ", 148);
    header.write("0", 156);
    header.write("ustar", 257);
    header.write("00", 263);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Creates an archive of contents, each named by its hash. */
export function bundleOf(...contents: readonly (string | Uint8Array)[]): Buffer {
  return tarOf(contents.map((content) => [hashOf(content), content]));
}

export interface SitePages {
  readonly [slug: string]: string;
}

/** Creates a site whose pages all have the same text. */
export function siteOf(text: string, size: number): SitePages {
  const page = (number: number) => `<!doctype html><title>${text}</title><p>${text} ${number}`;
  return Object.fromEntries(Array.from({ length: size }, (_, number) => [`page-${number}`, page(number)]));
}

export interface ReleaseOptions {
  readonly parent?: string | null;
  readonly siteId?: string | null;
  readonly preview?: string | null;
  readonly removes?: readonly (string | { readonly slug: string; readonly version: number })[];
  readonly manifest?: string;
  readonly force?: boolean;
  readonly encoding?: "identity" | "gzip" | "zstd";
  /** Called between staging and publishing. */
  readonly beforePublish?: (id: string) => Promise<void>;
}

export interface ReleaseClient {
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  open(options?: ReleaseOptions & { readonly assets?: readonly Fields[]; readonly id?: string }): Promise<Answer>;
  putPages(id: string, pages: SitePages, removes?: ReleaseOptions["removes"]): Promise<Answer>;
  putContent(id: string, bundle: Uint8Array, encoding?: ReleaseOptions["encoding"]): Promise<Answer>;
  /** Opens, fills and publishes a release. */
  publish(pages: SitePages, options?: ReleaseOptions): Promise<Answer>;
}

const ENCODERS = { identity: (bytes: Uint8Array) => bytes, gzip: gzipSync, zstd: zstdCompressSync } as const;

/** Creates a publisher of releases over real HTTP. */
export function releaseClientOf(service: Service, routeSet: "a" | "b" = "a"): ReleaseClient {
  const send = clientOf(service, { routeSet, transport: "over HTTP" });
  const client: ReleaseClient = {
    send,
    open: ({ parent = null, siteId = null, preview = null, assets = [], id } = {}) =>
      send("POST", "/api/releases", { json: { parent, siteId, preview, assets, ...(id !== undefined && { id }) } }),
    putPages: (id, pages, removes = []) =>
      send("PUT", `/api/releases/${id}/pages`, {
        json: {
          pages: Object.entries(pages).map(([slug, html]) => ({
            slug,
            title: `Title of ${slug}`,
            hash: hashOf(html),
            bytes: Buffer.byteLength(html),
          })),
          removes,
        },
      }),
    putContent: (id, bundle, encoding = "identity") =>
      send("PUT", `/api/releases/${id}/content`, {
        body: new Uint8Array(ENCODERS[encoding](bundle)),
        headers: { "Content-Type": "application/x-tar", "Content-Encoding": encoding },
      }),
    async publish(pages, options = {}) {
      const opened = await client.open(options);
      if (opened.status !== 201) return opened;
      const id = String(opened.body["id"]);
      const staged = await client.putPages(id, pages, options.removes);
      if (staged.status !== 200) return staged;
      const stored = await client.putContent(id, bundleOf(...Object.values(pages)), options.encoding);
      if (stored.status !== 200) return stored;
      await options.beforePublish?.(id);
      const { manifest = "m", force } = options;
      return await send("POST", `/api/releases/${id}/publish`, {
        json: { manifest, ...(force !== undefined && { force }) },
        headers: typeof options.parent === "string" ? { "If-Match": `"${options.parent}"` } : {},
      });
    },
  };
  return client;
}
