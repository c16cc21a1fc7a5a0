// Measures posts as ratios within one run: planning 500 unchanged posts relative to reading and parsing their front
// matter, their first sync relative to reading, parsing and rendering them, and what collecting the posts of a content
// collection adds to a build. `npm run bench:posts [growth]`; with `growth`, also the first sync of 5,000.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { desirePosts } from "../../src/posts/local/desire-posts.ts";
import { createPostPlaces } from "../../src/posts/local/post-places.ts";
import { createSiteRenderer } from "../../src/posts/render/render-markdown.ts";
import { parseOptions } from "../../src/publish.ts";
import { parseFolder } from "../../src/posts/read/parse-posts.ts";

const POSTS = 500;
const RUNS = 7;
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = "src/content/blog";

async function benchPlan(): Promise<void> {
  const options = parseOptions({ posts: {} });
  const settings = { timezone: "UTC", fields: {}, statuses: {}, tags: "comma" } as const;
  const parse = () => parseFolder({ ...settings, root, folder: FOLDER });
  const slugs = new Map(Array.from({ length: POSTS }, (_, number) => [`/post-${number}/`, `post-${number}`]));
  const plan = () => {
    const context = { projectRoot: root, options, logger: SILENT_LOGGER, slugs };
    const markdown = createSiteRenderer(root);
    const places = createPostPlaces({ options, siteSlugs: new Map(), locked: new Map() });
    return desirePosts({ base: "/" }, { ...context, places, markdown, pageHref: (slug) => `/p/${slug}` });
  };
  const first = await measure(plan);
  const { posts } = await plan();
  if (posts.length !== POSTS) throw new Error(`${posts.length} posts came out of ${POSTS}.`);
  // In turns, so that a busy machine affects both.
  const parsed: Cost[] = [];
  const planned: Cost[] = [];
  for (let run = 0; run < RUNS; run++) {
    parsed.push(await measure(parse));
    planned.push(await measure(plan));
  }
  console.log(`${POSTS} posts, read and parsed: ${tell(least(parsed))}; rendered for the first time: ${tell(first)}`);
  console.log(`planned: ${tell(least(planned))}`);
  console.log(`planning takes ${ratioOf(least(planned), least(parsed))} x reading and parsing (bar: 2.00)`);
}

/** Measures the publisher's processor time of a first sync. The service runs in its own process. */
async function benchFirstSync(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-bench-first-"));
  const service = fork(new URL("sync/service.ts", import.meta.url), [JSON.stringify({ latencyMs: 0 })]);
  try {
    await writePosts(folder, count);
    const [address]: readonly unknown[] = await once(service, "message");
    const reading = await measureOnce({ root: folder, service: undefined }, count);
    await rm(join(folder, ".imprint"), { recursive: true, force: true });
    const syncing = await measureOnce({ root: folder, service: address }, count);
    console.log(`${count} posts read and rendered: ${reading.toFixed(0)} ms of processor`);
    console.log(`their first sync: ${syncing.toFixed(0)} ms, ${(syncing / reading).toFixed(2)} x (bar: 3.00)`);
  } finally {
    service.kill("SIGTERM");
    await rm(folder, { recursive: true });
  }
}

async function measureOnce(job: { readonly root: string; readonly service: unknown }, count: number): Promise<number> {
  const child = fork(new URL("posts/first-sync.ts", import.meta.url), [JSON.stringify(job)]);
  const [told]: readonly unknown[] = await Promise.race([once(child, "message"), once(child, "exit")]);
  const measured: { readonly count?: unknown; readonly cpuMs?: unknown } = Object(told);
  if (measured.count !== count) throw new Error(`${String(measured.count)} posts came out of ${count}.`);
  return Number(measured.cpuMs);
}

/** Measures builds cold, as in CI, and warm: with the cached content and highlighted code of the previous build. */
async function benchBuild(): Promise<void> {
  for (const kind of ["cold", "warm"] as const) {
    const without: Cost[] = [];
    const withPosts: Cost[] = [];
    for (let run = 0; run < 3; run++) {
      without.push(build("0", kind));
      withPosts.push(build("1", kind));
    }
    console.log(`${kind} build: ${tell(least(without))}; with the posts handed over: ${tell(least(withPosts))}`);
    console.log(`the build takes ${ratioOf(least(withPosts), least(without))} x with them (bar: 1.10)`);
  }
}

function build(withPosts: string, kind: "cold" | "warm"): Cost {
  if (kind === "cold") rmSync(join(root, `.cache-${withPosts}`), { recursive: true, force: true });
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], ASTRO_TELEMETRY_DISABLED: "1" };
  const astro = join(REPOSITORY, "node_modules/astro/bin/astro.mjs");
  const start = performance.now();
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--import", CPU_AT_EXIT, astro, "build", "--silent"],
    {
      cwd: root,
      env: { ...environment, BENCH_POSTS: withPosts },
      encoding: "utf8",
    },
  );
  const wallMs = performance.now() - start;
  const [, cpuMs = ""] = /CPU (\d+)/.exec(stdout) ?? [];
  if (status !== 0 || cpuMs === "") throw new Error(stderr);
  return { wallMs, cpuMs: Number(cpuMs) };
}

const CPU_AT_EXIT = `data:text/javascript,process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write("CPU " + Math.round((user + system) / 1000));
});`;

/** Processor time decides, as other work on the machine doesn't affect it; wall time is printed too. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

function least(costs: readonly Cost[]): Cost {
  return {
    wallMs: Math.min(...costs.map(({ wallMs }) => wallMs)),
    cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
  };
}

function ratioOf(one: Cost, other: Cost): string {
  return `${(one.cpuMs / other.cpuMs).toFixed(2)} (on the clock ${(one.wallMs / other.wallMs).toFixed(2)})`;
}

function tell({ wallMs, cpuMs }: Cost): string {
  return `${cpuMs.toFixed(0)} ms of processor, ${wallMs.toFixed(0)} ms on the clock`;
}

/** Creates a folder of posts that link to each other, without images. */
async function writePosts(folder: string, count: number): Promise<void> {
  await mkdir(join(folder, FOLDER), { recursive: true });
  await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies: { astro: "*" } }));
  for (let number = 0; number < count; number++) {
    const text = postText(number, count).replace(/^!\[.*$/m, "");
    await writeFile(join(folder, FOLDER, `post-${number}.md`), text);
  }
}

async function writeSite(): Promise<void> {
  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  };
  await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  for (let number = 0; number < 50; number++) await put(`${FOLDER}/image-${number}.jpg`, await photo(number));
  for (let number = 0; number < POSTS; number++) await put(`${FOLDER}/post-${number}.md`, postText(number));
  await put("package.json", JSON.stringify({ name: "bench", type: "module", dependencies: { astro: "*" } }));
  await put("astro.config.mjs", ASTRO_CONFIG);
  await put("src/content.config.ts", CONTENT_CONFIG);
  await put("src/pages/[id].astro", PAGE);
  await cp(join(REPOSITORY, "test/fixtures/blog-site/src/pages/index.astro"), join(root, "src/pages/index.astro"));
  await cp(join(REPOSITORY, "test/fixtures/blog-site/src/posts.ts"), join(root, "src/posts.ts"));
}

function photo(number: number): Promise<Buffer> {
  const background = { r: (number * 37) % 256, g: (number * 91) % 256, b: 120 };
  return sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** About 8 KB, like the posts of real blogs: text, links, a list and a block of code, every tenth with an image. */
function postText(number: number, count = POSTS): string {
  const sentence = `Paragraph ${number} tells of *type*, **ink** and [paper](./post-${(number + 1) % count}.md), at some length.`;
  const paragraph = Array.from({ length: 6 }, () => sentence).join(" ");
  const code = "```js\nexport function add(one, other) {\n  return one + other; // a comment\n}\n```";
  const image = number % 10 === 0 ? `![A picture](./image-${number / 10}.jpg)` : "";
  const parts = Array.from({ length: 10 }, (_, part) => `## Part ${part}\n\n${paragraph}\n\n- one\n- two`);
  return `---\ntitle: "Post ${number}"\ndescription: What post ${number} is about\npubDate: 2024-01-${String((number % 28) + 1).padStart(2, "0")}\ntags: [one, two]\n---\n\n${image}\n\n${parts.join("\n\n")}\n\n${code}\n`;
}

// The posts are collected but not published, as only the cost of the build is measured.
const ASTRO_CONFIG = `
import { setUpGathering } from ${JSON.stringify(join(REPOSITORY, "src/integration/posts/gathering.ts"))};
import { parseOptions } from ${JSON.stringify(join(REPOSITORY, "src/options/parse-options.ts"))};
let gathering;
const posts = {
  name: "posts",
  hooks: {
    "astro:config:setup": async (setup) => {
      gathering = await setUpGathering(parseOptions({ posts: {} }), setup);
    },
    "astro:build:start": () => gathering.open(),
    "astro:build:generated": ({ dir, logger }) => {
      const { entries } = gathering.finish(dir, logger);
      if (entries.length !== ${POSTS} || entries.some(({ html }) => html === undefined)) throw new Error("Posts are missing.");
    },
  },
};
export default {
  cacheDir: "./.cache-" + process.env.BENCH_POSTS,
  outDir: "./dist-" + process.env.BENCH_POSTS,
  integrations: process.env.BENCH_POSTS === "1" ? [posts] : [],
};
`;

const CONTENT_CONFIG = `
import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";
const schema = z.object({ title: z.string(), pubDate: z.coerce.date(), draft: z.boolean().default(false) });
export const collections = { blog: defineCollection({ loader: glob({ base: "./${FOLDER}", pattern: "*.md" }), schema }) };
`;

const PAGE = `---
import { render } from "astro:content";
import { getPosts } from "../posts.ts";
export async function getStaticPaths() {
  return (await getPosts()).map((post) => ({ params: { id: post.id }, props: { post } }));
}
const { post } = Astro.props;
const { Content } = await render(post);
---
<html lang="en"><head><title>{post.data.title}</title></head><body><article><h1>{post.data.title}</h1><Content /></article></body></html>
`;

const root = await mkdtemp(join(tmpdir(), "imprint-bench-posts-"));
try {
  await writeSite();
  await benchPlan();
  await benchFirstSync(POSTS);
  if (process.argv[2] === "growth") await benchFirstSync(10 * POSTS);
  await benchBuild();
} finally {
  await rm(root, { recursive: true });
}
