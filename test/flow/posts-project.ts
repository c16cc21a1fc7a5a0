import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { createSiteRenderer } from "../../src/posts/render/render-markdown.ts";
import { syncPosts, type SyncRequest, type PostsRun } from "../../src/cli/posts/sync-posts.ts";
import { parseOptions } from "../../src/publish.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "../posts/folder.ts";

/** A folder of posts with its own service. */
export interface PostsProject {
  readonly root: string;
  readonly service: RunningService;
  /** The request of every run. */
  readonly request: SyncRequest;
  sync(changes?: Partial<SyncRequest>): Promise<PostsRun>;
  /** Writes a post: front matter lines, then the body. */
  write(name: string, text: string): Promise<void>;
  /** Replaces a part of a post's text. */
  edit(name: string, from: string, to: string): Promise<void>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  /** Write requests since a time. */
  writes(since?: Date): readonly string[];
}

export interface ProjectOptions {
  readonly routeSet?: RouteSetName;
  readonly strict?: boolean;
  readonly posts?: Readonly<Record<string, unknown>>;
  readonly service?: Partial<NonNullable<Parameters<typeof startService>[0]>>;
}

export async function openPostsProject(settings: ProjectOptions = {}): Promise<PostsProject> {
  const { routeSet = "a", strict = false, posts = {} } = settings;
  const root = await temporaryFolder();
  const folder = join(root, "src/content/blog");
  await mkdir(folder, { recursive: true });
  const service = await startService({
    ephemeral: true,
    dev: true,
    port: 0,
    pagesPort: 0,
    strict,
    ...settings.service,
  });
  onTestFinished(() => service.close());
  const baseUrl = service.baseUrl(routeSet);
  const request: SyncRequest = {
    projectRoot: root,
    options: parseOptions({ posts: { blog: { create: true }, ...posts } }),
    target: {
      ...{ baseUrl, apiKey: service.apiKey, routeSet: "auto", identity: baseUrl, pagesUrl: service.pagesUrl },
      close: async () => {},
    },
    markdown: createSiteRenderer(REPOSITORY),
  };
  const fileOf = (name: string) => join(folder, name);
  const read = (name: string) => readFile(fileOf(name), "utf8");
  async function write(name: string, text: string): Promise<void> {
    await mkdir(dirname(fileOf(name)), { recursive: true });
    await writeFile(fileOf(name), text);
  }
  return {
    ...{ root, service, request, read, write },
    sync: (changes) => syncPosts({ ...request, ...changes }),
    edit: async (name, from, to) => write(name, (await read(name)).replace(from, to)),
    remove: (name) => rm(fileOf(name)),
    writes: (since) =>
      service
        .requests(since)
        .filter(({ method }) => method !== "GET" && method !== "HEAD")
        .map(({ operation, method, path }) => operation ?? `${method} ${path}`),
  };
}

/** Runs a command of `imprint posts` in the project. */
export async function command({ root, service }: PostsProject, ...argv: readonly string[]) {
  const config = { service: service.baseUrl("a"), posts: { blog: { create: true } } };
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(config)};\n`);
  let [out, error] = ["", ""];
  const code = await runCli(["posts", ...argv], {
    ...{ cwd: root, environment: { IMPRINT_API_KEY: service.apiKey, NO_COLOR: "1" } },
    out: { write: (text) => void (out += text) },
    error: { write: (text) => void (error += text) },
  });
  return { code, out, error };
}

/** Returns a post file with a title, a day and a text. */
export function postText(title: string, body: string, fields = ""): string {
  return `---\ntitle: ${title}\npubDate: 2026-01-05\n${fields}---\n\n${body}\n`;
}

/** Returns the outcomes, as `name: status`. */
export function outcomesOf({ outcomes }: PostsRun): readonly string[] {
  return outcomes.map(({ resource, name, kind, status }) => `${resource} ${name}: ${kind} ${status}`);
}
