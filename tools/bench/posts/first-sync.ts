// One measurement of `tools/bench/posts.ts`, in its own cold process: reading, parsing and rendering the posts of a
// folder, or publishing them for the first time.
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import { createSiteRenderer } from "../../../src/posts/render/render-markdown.ts";
import { readPostsFolder } from "../../../src/cli/posts/open-posts.ts";
import { syncPosts } from "../../../src/cli/posts/sync-posts.ts";
import { parseOptions } from "../../../src/publish.ts";

export interface FirstSyncJob {
  readonly root: string;
  /** `undefined` to only read and render the posts. */
  readonly service: { readonly baseUrl: string; readonly pagesUrl: string; readonly apiKey: string } | undefined;
}

const { root, service }: FirstSyncJob = JSON.parse(process.argv[2] ?? "{}");
const request = {
  projectRoot: root,
  options: parseOptions({ posts: { blog: { create: true } } }),
  markdown: createSiteRenderer(root),
  logger: SILENT_LOGGER,
};
const before = process.cpuUsage();
const count = service === undefined ? await read() : await sync(service);
const { user, system } = process.cpuUsage(before);
process.send?.({ count, cpuMs: (user + system) / 1000 });

async function read(): Promise<number> {
  const { posts: local } = await readPostsFolder(request);
  return local.posts.length;
}

async function sync({ baseUrl, pagesUrl, apiKey }: NonNullable<FirstSyncJob["service"]>): Promise<number> {
  const target = { baseUrl, pagesUrl, apiKey, routeSet: "auto", identity: baseUrl, close: async () => {} } as const;
  const { outcomes } = await syncPosts({ ...request, target });
  return outcomes.filter(({ resource, kind, status }) => resource === "post" && kind === "create" && status === "done")
    .length;
}
