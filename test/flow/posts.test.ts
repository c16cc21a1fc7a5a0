import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSiteRenderer } from "../../src/posts/render/render-markdown.ts";
import { syncPosts, type SyncRequest, type PostsRun } from "../../src/cli/posts/sync-posts.ts";
import { parseOptions } from "../../src/publish.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { startProxy } from "../faults/proxy.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "../posts/folder.ts";

const MESSY = join(REPOSITORY, "test/fixtures/posts/messy");

/** A project with the messy posts and its own service. */
async function openProject({ strict = false } = {}) {
  const root = await temporaryFolder();
  await mkdir(join(root, "src/content"), { recursive: true });
  await cp(MESSY, join(root, "src/content/blog"), { recursive: true });
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, strict });
  onTestFinished(() => service.close());
  const target = targetOf(service);
  const options = parseOptions({ posts: {} });
  const markdown = createSiteRenderer(REPOSITORY);
  const sync = (changed: Partial<Pick<SyncRequest, "dryRun" | "target">> = {}) =>
    syncPosts({ projectRoot: root, options, target, markdown, ...changed });
  return { root, service, sync, file: (name: string) => join(root, "src/content/blog", name) };
}

function targetOf(service: RunningService) {
  const [baseUrl, { apiKey, pagesUrl }] = [service.baseUrl("a"), service];
  return { ...{ baseUrl, apiKey, pagesUrl }, routeSet: "auto", identity: baseUrl, close: async () => {} } as const;
}

function openStates({ plan }: PostsRun): readonly string[] {
  return plan.posts.flatMap(({ name, kind, state }) =>
    kind === "keep" && state === "unchanged" ? [] : [`${name}: ${state}`],
  );
}

it("a folder of messy posts is published except for those with errors, and a second run sends nothing", async () => {
  const { service, sync } = await openProject();
  const first = await sync();
  const created = first.outcomes.filter(({ resource, status }) => resource === "post" && status === "done");
  expect(created).toHaveLength(25);
  const failed = first.outcomes
    .filter(({ status }) => status === "failed")
    .map(({ name, error }) => [name, error?.code]);
  expect(failed).toEqual([
    ["broken.png", "IMAGE_BROKEN"],
    ["broken-image", "ASSET_MISSING"],
  ]);
  const since = new Date();
  const second = await sync();
  expect(openStates(second)).toEqual(["broken-image: create"]);
  const writes = service.requests(since).filter(({ method }) => method !== "GET");
  expect(writes).toEqual([]);
});

it("a project that lost its memory finds its posts and publishes none twice", async () => {
  for (const strict of [false, true]) {
    const { root, service, sync } = await openProject({ strict });
    await sync();
    await rm(join(root, "imprint.lock.json"));
    await rm(join(root, ".imprint"), { recursive: true });
    const since = new Date();
    const again = await sync();
    expect(again.plan.posts.filter(({ kind }) => kind === "create").map(({ name }) => name)).toEqual(["broken-image"]);
    expect(service.requests(since).filter(({ operation }) => operation === "posts.create")).toEqual([]);
  }
});

it("the next run recognizes an edit whose response was lost as its own", async () => {
  const { service, sync, file } = await openProject();
  const proxy = await startProxy(service.baseUrl("a"));
  onTestFinished(() => proxy.close());
  const throughProxy = { target: { ...targetOf(service), baseUrl: proxy.url } };
  await sync();
  await writeFile(file("cover.md"), (await readFile(file("cover.md"), "utf8")).replace("stands", "is shown"));
  proxy.meddle(({ method, answer, forward }) =>
    method === "PATCH" ? forward().then(() => void answer.socket?.resetAndDestroy()) : undefined,
  );
  await expect(sync(throughProxy)).rejects.toMatchObject({ code: "SERVICE_UNREACHABLE" });
  expect(openStates(await sync())).toEqual(["broken-image: create"]);
  expect(openStates(await sync())).toEqual(["broken-image: create"]);
});

it("a plan reports edits, renamed files, removed files, and drafts as such, and sends nothing", async () => {
  const { root, sync, file } = await openProject({ strict: true });
  await sync();
  await writeFile(file("cover.md"), (await readFile(file("cover.md"), "utf8")).replace("stands", "is shown"));
  await cp(file("windows.md"), file("doors.md"));
  await rm(file("windows.md"));
  await rm(file("json.md"));
  await writeFile(file("upper.MD"), "---\ntitle: Not yet\ndraft: true\n---\n");
  const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
  const plan = await sync({ dryRun: true });
  expect(openStates(plan)).toEqual([
    "broken-image: create",
    "cover: edited",
    "doors: renamed",
    "upper: cannot-unpublish",
    "json: orphan",
  ]);
  expect(await readFile(join(root, "imprint.lock.json"), "utf8")).toBe(lock);
});

it("edits are sent, and posts unpublished, if the service supports it", async () => {
  const { service, sync, file } = await openProject();
  await sync();
  await writeFile(file("cover.md"), (await readFile(file("cover.md"), "utf8")).replace("stands", "is shown"));
  await writeFile(file("upper.MD"), "---\ntitle: Not yet\ndraft: true\n---\n");
  await sync();
  const visit = async (slug: string) => await fetch(`${service.pagesUrl}/blog/blog/${slug}`);
  expect(await (await visit("cover")).text()).toContain("The cover is shown above.");
  expect((await visit("upper")).status).toBe(404);
  expect(openStates(await sync({ dryRun: true }))).toEqual(["broken-image: create"]);
});
