import { randomUUID } from "node:crypto";
import { connect, failureOf, outcomeOf, type ImprintApi } from "../../src/client.ts";
import { startService, type Quirks } from "../../src/service.ts";
import type { SitePost } from "../../src/posts/post.ts";
import { sha256 } from "../../src/base/hash.ts";
import { applyPosts } from "../../src/posts/apply/apply.ts";
import { knowPosts, type Clock } from "../../src/posts/identity/known-posts.ts";
import { openPostRepository, type PostStore } from "../../src/posts/memory/repository.ts";
import type { PostCreation } from "../../src/posts/memory/journal.ts";
import type { PostEntry } from "../../src/posts/memory/ledger.ts";
import { postUid } from "../../src/posts/identity/marker.ts";
import { payloadOf } from "../../src/posts/identity/fingerprint.ts";
import { createPostAddresses } from "../../src/posts/apply/payloads.ts";
import { createPostsPlanner, planPosts } from "../../src/posts/plan/plan.ts";
import type { Lock } from "../../src/sync/lock.ts";
import type { Outcome } from "../../src/base/outcome.ts";

export const COLLECTION = "posts";
const PROJECT = "k3v9x2ab";
const HOUR_MS = 3_600_000;

/** Virtual time that only advances during sleeps. Shared by the service and all its clients. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function createFakeClock(): FakeClock {
  let time = Date.parse("2026-03-01T10:00:00Z");
  return {
    now: () => new Date(time),
    async sleep(ms) {
      time += ms;
    },
    advance(ms) {
      time += ms;
    },
  };
}

/** The memory of one machine, as on its disk. */
export interface Disk {
  lock: Lock;
  journal: ReadonlyMap<string, PostCreation>;
  /** The world has one blog. */
  written: ReadonlyMap<string, PostEntry>;
}

export function emptyDisk(): Disk {
  return { lock: { version: 2, slugs: {} }, journal: new Map(), written: new Map() };
}

/** Where a machine dies: before or after its nth access to the disk or the network. */
export interface Death {
  readonly step: number;
  readonly when: "before" | "after";
}

export class Killed extends Error {
  override readonly name = "Killed";
}

/** Counts the steps of one run, and stops it for good where it has to die. */
export interface Life {
  readonly steps: readonly string[];
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** Something else that happens before the nth step of a run. */
export interface Interlude {
  readonly step: number;
  readonly work: () => Promise<void>;
}

export function createLife({ death, interlude }: Pick<RunOptions, "death" | "interlude"> = {}): Life {
  const steps: string[] = [];
  let isDead = false;
  return {
    steps,
    async step(name, work) {
      if (isDead) throw new Killed();
      steps.push(name);
      if (steps.length - 1 === interlude?.step) await interlude.work();
      const isLast = death !== undefined && steps.length - 1 === death.step;
      if (isLast && death.when === "before") {
        isDead = true;
        throw new Killed();
      }
      const result = await work();
      if (isLast) {
        isDead = true;
        throw new Killed();
      }
      return result;
    },
  };
}

export function storeOn(disk: Disk, life: Life): PostStore {
  return {
    target: "world",
    newId: () => randomUUID(),
    lock: {
      readLock: async () => disk.lock,
      writeLock: (lock) =>
        life.step("lock", async () => {
          disk.lock = lock;
        }),
    },
    journal: {
      read: () => disk.journal,
      begin: (id, creation) =>
        life.step("journal create", async () => {
          disk.journal = new Map([...disk.journal, [id, creation]]);
        }),
      confirm: (id, entry) =>
        life.step("journal confirmed", async () => {
          const creation = disk.journal.get(id);
          if (creation !== undefined) disk.journal = new Map([...disk.journal, [id, { ...creation, entry }]]);
        }),
      forget: (ids) =>
        life.step("journal forget", async () => {
          disk.journal = new Map([...disk.journal].filter(([id]) => !ids.includes(id)));
        }),
      written: () => disk.written,
      recordWritten: (_, entries) =>
        life.step("journal written", async () => {
          const written = new Map<string, PostEntry | undefined>([...disk.written, ...entries]);
          disk.written = new Map([...written].flatMap(([slug, entry]) => (entry === undefined ? [] : [[slug, entry]])));
        }),
    },
  };
}

export function mortalApi(api: ImprintApi, life: Life): ImprintApi {
  const { posts } = api;
  return {
    ...api,
    posts: {
      ...posts,
      list: (...args) => life.step("GET posts", () => posts.list(...args)),
      create: (...args) => life.step("POST post", () => posts.create(...args)),
    },
  };
}

export function localPost(slug: string, body = `The text of ${slug}`): SitePost {
  return {
    file: `${COLLECTION}/${slug}.md`,
    slug,
    title: `About ${slug}`,
    status: "published",
    publishedAt: new Date("2026-01-05T00:00:00Z"),
    excerpt: undefined,
    tags: [],
    author: undefined,
    canonicalUrl: undefined,
    cover: undefined,
    html: `<p>${body}</p>`,
    sourceHash: sha256(body),
    assets: [],
    warnings: [],
  };
}

export interface World {
  readonly api: ImprintApi;
  readonly clock: FakeClock;
  readonly blogId: string;
  /** All posts of the service, regardless of its lists. */
  everything(): Promise<readonly { readonly slug: string; readonly title: string }[]>;
  setFaults: Awaited<ReturnType<typeof startService>>["setFaults"];
  requests: Awaited<ReturnType<typeof startService>>["requests"];
  /** Resets the service to its initial state. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly quirks: Partial<Quirks>;
  /** Number of existing, unknown posts. */
  readonly strangers: number;
}

const PAGE_SIZE = 10;

export async function createWorld({ quirks, strangers }: WorldOptions): Promise<World> {
  const clock = createFakeClock();
  const service = await startService({
    ...{ ephemeral: true, dev: true, port: 0, pagesPort: 0, now: () => clock.now(), quirks },
    limits: { defaultListLimit: PAGE_SIZE },
  });
  const api = await connect({
    ...{ baseUrl: service.baseUrl("a"), apiKey: service.apiKey, routeSet: "a" },
    now: () => clock.now().getTime(),
    sleep: (ms) => clock.sleep(ms),
    maxAttempts: 2,
  });
  const blog = await api.blogs.create({ name: "Journal", slug: "journal" });
  for (let index = 0; index < strangers; index++) {
    await api.posts.create(blog.id, { slug: `stranger-${index}`, title: `Stranger ${index}`, html: "<p>Old</p>" });
    clock.advance(1000);
  }
  clock.advance(HOUR_MS);
  const start = await service.snapshot();
  return {
    api,
    clock,
    blogId: blog.id,
    setFaults: service.setFaults,
    requests: service.requests,
    async everything() {
      const { pathname } = new URL(service.pagesUrl);
      const found: { slug: string; title: string }[] = [];
      for (let page = 1; ; page++) {
        const answer = await fetch(`${service.pagesUrl}${pathname}blog/journal?page=${page}`);
        if (answer.status !== 200) return found;
        const html = await answer.text();
        for (const [, slug = "", title = ""] of html.matchAll(
          /<a href="[^"]*\/blog\/journal\/([^"?]+)"[^>]*>([^<]*)</g,
        )) {
          found.push({ slug, title });
        }
      }
    },
    async restart() {
      service.setFaults({});
      await service.restore(start);
    },
    async close() {
      await api.close();
      await service.close();
    },
  };
}

export interface RunResult {
  readonly outcomes: readonly Outcome[];
  readonly steps: readonly string[];
  readonly end: "done" | "killed" | "stopped";
}

export interface RunOptions {
  readonly disk: Disk;
  readonly posts: readonly SitePost[];
  readonly death?: Death;
  readonly interlude?: Interlude;
}

/** One run of the publisher on one machine: know, plan, apply. */
export async function runOnce(world: World, { disk, posts, death, interlude }: RunOptions): Promise<RunResult> {
  const life = createLife({ death, interlude });
  const outcomes: Outcome[] = [];
  const store = storeOn(disk, life);
  const { clock, blogId } = world;
  const api = mortalApi(world.api, life);
  const wanted = { posts, collection: COLLECTION, project: PROJECT, held: [] };
  const rules = { capabilities: { operations: new Set<never>() }, prune: false };
  try {
    const repository = await openPostRepository(store, blogId);
    const source = { api, blogId, clock };
    const known = await knowPosts(source, { ledger: repository.ledger, local: posts, waits: true });
    await applyPosts(planPosts(wanted, known, rules), {
      ...{ ...source, repository, wanted, known, blogIsNew: false },
      plan: (view) => createPostsPlanner(wanted, view, rules),
      addresses: createPostAddresses({ api, repository, known, pageUrl: () => undefined }),
      newKey: store.newId,
      payload: async (post) =>
        payloadOf(post, {
          uid: postUid({ collection: COLLECTION, slug: post.slug }),
          project: PROJECT,
          addressOf: () => "",
        }),
      addressOf: () => undefined,
      deletedPages: new Set(),
      readFailure(error) {
        if (error instanceof Killed) throw error;
        const { status, problemCode, retryAfterMs } = failureOf(error) ?? {};
        return { outcome: outcomeOf(error), status, problemCode, retryAfterMs };
      },
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    return { outcomes, steps: life.steps, end: "done" };
  } catch (error) {
    if (error instanceof Killed) return { outcomes, steps: life.steps, end: "killed" };
    throw error;
  }
}
