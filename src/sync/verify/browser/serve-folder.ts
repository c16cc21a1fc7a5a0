import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { contentTypeOf } from "../../../site/content-type.ts";
import type { BuiltSite } from "../../../site/model.ts";

/** The built site as a static host serves it, on 127.0.0.1. */
export interface ServedFolder {
  /** Without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the files of a built site, and nothing else of the disk. */
export async function serveFolder(built: BuiltSite): Promise<ServedFolder> {
  const pages = new Map(built.pages.map(({ route, file }) => [route.replace(/\/$/, ""), file]));
  const files = new Set([...built.files.keys(), ...pages.values()]);

  function fileAt(target: string): string | undefined {
    const path = decodePath(target);
    if (path === undefined || !`${path}/`.startsWith(built.base)) return undefined;
    const below = path.slice(built.base.length);
    return files.has(below) ? below : pages.get(`/${below}`.replace(/\/$/, ""));
  }

  const server = createServer((request, response) => {
    const file = fileAt(request.url ?? "/");
    if (file === undefined) return void response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
    response.writeHead(200, { "content-type": contentTypeOf(file) });
    createReadStream(join(built.root, file))
      .on("error", () => response.destroy())
      .pipe(response);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function decodePath(target: string): string | undefined {
  try {
    return decodeURIComponent(new URL(target, "http://site.invalid").pathname);
  } catch {
    return undefined;
  }
}
