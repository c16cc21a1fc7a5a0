import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect, type ConnectionOptions } from "../../src/client.ts";
import { parseOptions, publish, type PublishRequest, type Report } from "../../src/publish.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { htmlPage, picture } from "../flow/temporary-site.ts";
import { startProxy, type Proxy } from "./proxy.ts";
import type { World } from "./worlds.ts";

const OPTIONS = { posts: { blog: { create: true } }, site: { name: "Halden Press" }, prune: true };

/** The environment of a row: a service, a proxy, and a project to publish. */
export interface Setting {
  readonly world: World;
  readonly service: RunningService;
  readonly proxy: Proxy;
  /** A project, as a template to copy. */
  readonly template: string;
  /** The requests of an undisturbed run: `PUT /api/pages/index`. */
  readonly requests: readonly string[];
  /** The service's content after it. */
  readonly undisturbed: string;
  /** Resets the service to its state before that run. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a site that was never published, with an empty service. */
export async function openSetting(world: World, pages: number): Promise<Setting> {
  const { routeSet, strict } = world;
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict, routeSet, dev: true });
  const proxy = await startProxy(service.baseUrl(routeSet), service);
  const template = await createTemplate(pages);
  const measured = await measure(template, { service, proxy });
  // The template keeps the cache, so that images aren't optimized again.
  const memories = ["imprint.lock.json", ".imprint/memory.sqlite"];
  await Promise.all(memories.map((memory) => rm(join(template, memory), { recursive: true, force: true })));
  return {
    ...{ world, service, proxy, template, ...measured },
    restore: () => service.reset(),
    async close() {
      await proxy.close();
      await service.close();
      await rm(template, { recursive: true, force: true });
    },
  };
}

/** Opens a site that was published and then edited: with new, changed and deleted pages, images and posts. */
export async function openEditedSetting(world: World): Promise<Setting> {
  const first = await openSetting(world, 6);
  const { service, proxy, template } = first;
  await service.reset();
  await run({ root: template, baseUrl: proxy.url, apiKey: service.apiKey });
  const snapshot = await service.snapshot();
  await editTemplate(template, { canChangePosts: !world.strict, takesVideo: world.routeSet === "a" });
  const { root, remove } = await copyProject(template);
  const measured = await measure(root, { service, proxy });
  await remove();
  return { ...first, ...measured, restore: () => service.restore(snapshot) };
}

/** Publishes once without faults, as a reference. */
async function measure(root: string, { service, proxy }: Pick<Setting, "service" | "proxy">) {
  const requests: string[] = [];
  proxy.meddle(({ method, path }) => {
    requests.push(`${method} ${path}`);
    return undefined;
  });
  await run({ root, baseUrl: proxy.url, apiKey: service.apiKey });
  proxy.meddle(() => undefined);
  return { requests, undisturbed: await describeService(service) };
}

/** Virtual time that only passes during waits. */
export function createVirtualTime(): Required<Pick<ConnectionOptions, "now" | "sleep">> {
  let at = Date.now();
  return {
    now: () => at,
    async sleep(ms) {
      at += ms;
    },
  };
}

/** Creates a built site with pages, two posts and a few files. */
async function createTemplate(pages: number): Promise<string> {
  const root = await temporaryFolder();
  const names = Array.from({ length: pages - 1 }, (_, number) => `page-${number + 1}`);
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ["dist/index.html", htmlPage("Halden Press", `<h1>Halden Press</h1><img src="/photo.png" alt="The press">`)],
    ...names.map((name) => [`dist/${name}/index.html`, htmlPage(name, `<h1>${name}</h1>`)] as const),
    ["dist/_astro/site.css", "body{background:url(/paper.png)}"],
    ["dist/_astro/site.js", "document.title += '';"],
    [
      "dist/favicon.svg",
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>`,
    ],
    ["dist/photo.png", await picture({ width: 32, height: 20, color: "#b5651d" })],
    ["dist/logo.png", await picture({ width: 16, height: 16, color: "#7a1f2b" })],
    ["dist/paper.png", await picture({ width: 8, height: 8, color: "#f4efe6" })],
    ["src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is a paint.\n"],
    ["src/content/blog/paper.md", "---\ntitle: On paper\npubDate: 2026-02-05\n---\n\nPaper has a grain.\n"],
    ["imprint.config.mjs", `export default ${JSON.stringify(OPTIONS)};`],
  ];
  for (const [path, content] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

// The last post is only edited if the service can change posts; otherwise a person would have to do it.
async function editTemplate(
  root: string,
  { canChangePosts, takesVideo }: { readonly canChangePosts: boolean; readonly takesVideo: boolean },
): Promise<void> {
  const video = takesVideo ? '<video src="/tour.mp4" controls></video>' : "";
  const edited = [
    ["dist/page-1/index.html", htmlPage("page-1", "<h1>page-1</h1><p>Edited</p>")],
    ["dist/page-2/index.html", htmlPage("page-2", "<h1>page-2</h1><p>Edited too</p>")],
    ["dist/page-9/index.html", htmlPage("page-9", `<h1>page-9</h1>${video}`)],
    // Large enough to be streamed.
    ...(takesVideo ? [["dist/tour.mp4", Buffer.alloc(1_100_000, 7)] as const] : []),
    ["dist/photo.png", await picture({ width: 32, height: 20, color: "#2b6a7a" })],
    ["src/content/blog/press.md", "---\ntitle: On presses\npubDate: 2026-03-05\n---\n\nA press presses.\n"],
    ...(canChangePosts
      ? [["src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is no paint.\n"] as const]
      : []),
  ] as const;
  for (const [path, content] of edited) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  await rm(join(root, "dist/page-5"), { recursive: true });
}

export interface Project {
  readonly root: string;
  remove(): Promise<void>;
}

/** Copies the template to a new project, with its memory. */
export async function copyProject(template: string): Promise<Project> {
  const root = await temporaryFolder();
  await cp(template, root, { recursive: true });
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "imprint-faults-"));
}

export interface RunOptions {
  readonly root: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly connection?: PublishRequest["connection"];
  readonly signal?: AbortSignal;
  /** Value of `posts.blog.id`. Default: none, so that a blog is created. */
  readonly blogId?: string | undefined;
}

export function run({ root, baseUrl, apiKey, connection, signal, blogId }: RunOptions): Promise<Report> {
  return publish({
    projectRoot: root,
    dist: join(root, "dist"),
    options: parseOptions(blogId === undefined ? OPTIONS : { ...OPTIONS, posts: { blog: { id: blogId } } }),
    target: { baseUrl, apiKey, pagesUrl: undefined, routeSet: "auto", identity: baseUrl, close: async () => {} },
    connection,
    signal,
  });
}

/** Returns the ID of the blog; creates one if there is none, as a person would in the dashboard. */
export async function findOrMakeBlog(service: RunningService): Promise<string> {
  const api = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey, routeSet: "a" });
  try {
    const [blog] = (await api.blogs.list()).items;
    return (blog ?? (await api.blogs.create({ name: OPTIONS.site.name, slug: "blog" }))).id;
  } finally {
    await api.close();
  }
}

/** Describes the content of a service, without values that differ between runs: IDs, times and hosts. */
export async function describeService(service: RunningService): Promise<string> {
  // Route set A lists everything, regardless of the route set that the site was published with.
  const api = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey, routeSet: "a" });
  try {
    const [pages, assets, sites, kits, blogs] = await Promise.all([
      api.pages.list(),
      api.assets.list(),
      api.sites.list(),
      api.brandKits.list(),
      api.blogs.list(),
    ]);
    const texts = await Promise.all(
      pages.items.map(async ({ slug, title }) => {
        const answer = await fetch(`${service.pagesUrl}/p/${slug}`);
        return `page ${slug} ${title} ${answer.status} ${withoutIds(await answer.text())}`;
      }),
    );
    const posts = await Promise.all(blogs.items.map(({ id }) => api.posts.list(id, { content: true })));
    return [
      ...texts,
      ...assets.items.map(({ name, contentType, size }) => withoutIds(`asset ${name} ${contentType} ${size}`)),
      ...sites.items.map(
        ({ name, slug, homeSlug, brandKitId }) => `site ${name} ${slug} ${homeSlug} kit ${brandKitId !== undefined}`,
      ),
      ...kits.items.map(({ name, colors, fonts, logos }) =>
        withoutIds(`kit ${name} ${JSON.stringify([colors, fonts, logos])}`),
      ),
      ...blogs.items.map(({ name, slug }) => `blog ${name} ${slug}`),
      ...posts.flatMap(({ items }) =>
        items.map(({ slug, title, status, html }) => withoutIds(`post ${slug} ${title} ${status} ${html}`)),
      ),
    ]
      .toSorted()
      .join("\n");
  } finally {
    await api.close();
  }
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/library\/as_\w+/g, "/library")
    .replaceAll(/(<meta name="imprint" content="[0-9a-f]{64}) [0-9a-f]{64} \w+ [\w-]+"/g, '$1"')
    .replaceAll(/(data-imprint-post="v2):\w+:/g, "$1:")
    .replaceAll(/\.\w{4,32}(\.[0-9a-f]{16}\.\w+)/g, "$1");
}
