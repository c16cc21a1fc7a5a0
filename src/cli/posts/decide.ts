import { ImprintError } from "../../base/error.ts";
import { openPostKeeper, type PostKeeper } from "../../posts/memory/keeper.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import { withRun } from "../../target/open-run.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { withPostsTarget } from "./open-posts.ts";

/** What a command that decides about one post works with. */
export interface Decision {
  readonly keeper: PostKeeper;
  readonly run: Run;
  readonly desired: PlannedSite["desired"];
  readonly known: KnownPosts;
  /** What a sync would do. */
  readonly plan: readonly PostChange[];
  readonly collection: string;
}

interface Question {
  readonly slug: string;
  readonly flags: PostsFlags;
  readonly context: CliContext;
}

/** Writes down what a person decided about a post, and prints what follows from it. Sends no write. */
export async function decideAboutPost(
  { slug, flags, context }: Question,
  work: (decision: Decision) => Promise<string>,
): Promise<ExitCode> {
  const message = await withPostsTarget({ flags, context }, (request) =>
    withRun({ ...request, only: "posts" }, async (run) => {
      const { plan, known, desired } = await planDryRun(run);
      const { blog } = desired;
      if (blog === undefined) throw new ImprintError("USAGE", '`posts.target` is "pages", so there is no blog.');
      if (known.blog === undefined || known.posts === undefined) {
        throw new ImprintError("USAGE", `There is no blog yet that "${slug}" could be in.`);
      }
      const keeper = await openPostKeeper(run.posts.store, known.blog.id);
      return await work({ keeper, run, desired, known: known.posts, plan: plan.posts, collection: blog.collection });
    }),
  );
  const json = { version: 1, slug, message };
  context.out.write(flags.json === true ? `${JSON.stringify(json, undefined, 2)}\n` : `${message}\n`);
  return 0;
}
