import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOptions, publish, type Report } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { readBuiltSite } from "../../src/site/read-site.ts";
import type { BuiltPage } from "../../src/site/model.ts";
import type { OriginalSite } from "./original-site.ts";

/** The service that a site is published to. */
export interface World {
  readonly routeSet: "a" | "b";
  readonly mode: "full" | "strict";
}

/** A published site. */
export interface PublishedSite {
  /** Address of published pages before `/p/`. */
  readonly origin: string;
  readonly report: Report;
  /** Slug by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Every HTML file of the built site, with its detected kind. */
  readonly files: readonly BuiltPage[];
  close(): Promise<void>;
}

/** Publishes a built site to a new service. */
export async function openPublished(original: OriginalSite, { routeSet, mode }: World): Promise<PublishedSite> {
  const projectRoot = await mkdtemp(join(tmpdir(), "fidelity-project-"));
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: mode === "strict" });
  const close = async () => {
    await service.close();
    await rm(projectRoot, { recursive: true, force: true });
  };
  try {
    const baseUrl = service.baseUrl(routeSet);
    const report = await publish({
      projectRoot,
      dist: original.dist,
      options: parseOptions({ brandKit: false }),
      hints: original.hints,
      target: {
        baseUrl,
        apiKey: service.apiKey,
        routeSet: "auto",
        identity: baseUrl,
        pagesUrl: undefined,
        close: async () => {},
      },
    });
    const { pages: files } = await readBuiltSite(original.dist, original.hints);
    return { origin: service.pagesUrl, report, slugs: await readSlugs(projectRoot), files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readSlugs(projectRoot: string): Promise<ReadonlyMap<string, string>> {
  const lock: { readonly slugs: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(projectRoot, "imprint.lock.json"), "utf8"),
  );
  return new Map(Object.entries(lock.slugs));
}
