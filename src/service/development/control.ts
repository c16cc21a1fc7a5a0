import type { Core } from "../host/core.ts";
import { createBlog } from "../resources/blogs.ts";
import { putPage } from "../resources/pages.ts";
import { inTransaction } from "../resources/context.ts";
import { createPost } from "../resources/posts.ts";
import type { Faults } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";

/** A service with what tests order of it. */
export interface Controlled {
  readonly core: Core;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
}

/** Deletes all records, the request log, faults and moves of the clock. */
export async function resetService({ core, faults, requestLog }: Controlled): Promise<void> {
  await core.store.snapshots.clear();
  faults.set({});
  requestLog.clear();
  core.clock.reset();
}

export interface SeedOptions {
  readonly pages: number;
  readonly posts: number;
}

/** Makes so many pages (`seed-1`, …) and posts (in the blog `seed`), to have something to list. */
export async function seedService({ account, contextOf }: Core, { pages, posts }: SeedOptions): Promise<void> {
  await inTransaction(contextOf(account.id), async (context) => {
    for (let number = 1; number <= pages; number++) {
      const change = { slug: `seed-${number}`, title: `Seed ${number}`, html: `<h1>Seed ${number}</h1>` };
      await putPage(context, change, {});
    }
    if (posts > 0) await createBlog(context, { name: "Seed", slug: "seed" });
    for (let number = 1; number <= posts; number++) {
      const post = { slug: `seed-${number}`, title: `Seed ${number}`, html: `<p>Seed ${number}</p>` };
      await createPost(context, "seed", post);
    }
  });
}
