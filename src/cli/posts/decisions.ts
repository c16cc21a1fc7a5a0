import { ImprintError } from "../../base/error.ts";
import { sentVersionOf } from "../../posts/identity/fingerprint.ts";
import { findMatches, indexPosts, slugOfRecord } from "../../posts/identity/identity.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { postUid } from "../../posts/identity/marker.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { SlugArguments, PostsFlags } from "../posts-commands.ts";
import { findRemembered, entryOfFound } from "../../posts/identity/found-post.ts";
import { openPostRepository, type PostRepository } from "../../posts/memory/repository.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import { withRun } from "../../target/open-run.ts";
import { withPostsTarget } from "./open-posts.ts";
import { formatJson } from "../print.ts";

/** `imprint posts ack <slug>`: the blog has the present version, as a person says. */
export async function postsAckCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost(
    { slug, flags, context },
    async ({ repository, run, desired, known, plan, collection }) => {
      const post = desired.posts.find((each) => each.slug === slug);
      const change = plan.find(({ name }) => name === slug);
      if (post === undefined || change === undefined) {
        throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
      }
      if (change.kind === "keep") return `${post.file} is up to date already.`;
      if (change.kind === "update") {
        throw new ImprintError("USAGE", `This service takes edits: ${post.file} would no longer be sent to readers.`, {
          hint: "Run `imprint posts sync` to publish the edit.",
        });
      }
      const former = [...repository.ledger.entries].find(([name, { file }]) => name !== slug && file === post.file);
      const entry = repository.ledger.entries.get(slug) ?? former?.[1];
      const uid = postUid({ collection, slug });
      const identity = { slug: former?.[0] ?? slug, uid, post, entry };
      const [match] = findMatches(identity, indexPosts(known.posts));
      if (match === undefined) {
        throw new ImprintError("USAGE", `The blog has no post "${slug}".`, {
          hint: "`imprint posts list` shows what it has.",
        });
      }
      const { id, url, slug: remoteSlug = former?.[0], contentHash } = match.record;
      const acknowledged: PostEntry = {
        id,
        url,
        contentHash,
        file: post.file,
        ...sentVersionOf(post),
        state: "acknowledged",
        ...(remoteSlug === undefined || remoteSlug === slug ? {} : { remoteSlug }),
        ...(entry?.replaces === undefined ? {} : { replaces: entry.replaces }),
        createdAt: entry?.createdAt ?? run.posts.clock.now().toISOString(),
      };
      await repository.record(
        new Map([...(former === undefined ? [] : [[former[0], undefined] as const]), [slug, acknowledged]]),
      );
      return `${post.file} counts as published as it is now.`;
    },
  );
}

/** `imprint posts restore <slug>`: forgets a post that was removed, so that it is new again. */
export async function postsRestoreCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug, flags, context }, async ({ repository, known }) => {
    if (!repository.ledger.entries.has(slug))
      throw new ImprintError("USAGE", `"${slug}" was never published from here.`);
    if (!known.gone.has(slug)) {
      throw new ImprintError(
        "USAGE",
        `"${slug}" can't be shown to be removed at the service, so that it stays as it is.`,
      );
    }
    await repository.record(new Map([[slug, undefined]]));
    return `${slug} is published again by the next \`imprint posts sync\`.`;
  });
}

export interface RenameArguments {
  /** The slug under which the post was published, or its id at the service. */
  readonly from: string;
  /** Slug of the local post. */
  readonly to: string;
  readonly flags: PostsFlags;
}

/** `imprint posts rename <old> <new>`: a file is a published post under another name, as a person says. */
export async function postsRenameCommand({ from, to, flags }: RenameArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug: to, flags, context }, async (decision) => {
    const { repository, known, run, desired } = decision;
    const post = findReady(to, decision);
    if (repository.ledger.entries.has(to)) throw new ImprintError("USAGE", `"${to}" is published already.`);
    const former = findRemembered(from, known);
    if (former === undefined) {
      throw new ImprintError("USAGE", `The blog has no post "${from}".`, {
        hint: "`imprint posts list` shows what it has.",
      });
    }
    const { slug, entry: remembered } = former;
    const isInUse = remembered !== undefined && desired.posts.some((each) => each.slug === slug);
    if (isInUse) throw new ImprintError("USAGE", `"${from}" has a file of its own: ${remembered.file}.`);
    const canPatch = run.api.capabilities.operations.has("posts.patch");
    const entry = entryOfFound(post, former, { canPatch, now: run.posts.clock.now() });
    await repository.record(new Map([...(remembered === undefined ? [] : [[slug, undefined] as const]), [to, entry]]));
    return `${post.file} is the published post "${from}". Its address in the blog stays.`;
  });
}

export interface NewPostArguments {
  readonly slugs: readonly string[];
  readonly flags: PostsFlags;
}

/** `imprint posts new-post <slug...>`: posts are new, as a person says, though they resemble published ones. */
export async function postsNewPostCommand({ slugs, flags }: NewPostArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug: slugs.join(" "), flags, context }, async (decision) => {
    const messages: string[] = [];
    for (const slug of slugs) messages.push(await declareNew(slug, decision));
    return messages.join("\n");
  });
}

async function declareNew(slug: string, decision: Decision): Promise<string> {
  const { file } = findReady(slug, decision);
  const change = decision.plan.find(({ name }) => name === slug);
  if (change?.kind !== "create") {
    if (change?.kind !== "blocked" || change.state !== "resembles") {
      const reason = change?.reason ?? "it is not ready";
      throw new ImprintError("USAGE", `"${slug}" is not on hold as a possible rename: ${reason}.`);
    }
    const others = decision.known.posts.flatMap(({ record }) => {
      const isShown = change.places.some((place) => record.id !== undefined && place.includes(record.id));
      return isShown && slugOfRecord(record) === undefined ? (record.id ?? []) : [];
    });
    await decision.repository.declareNew(slug, others);
  }
  return `${file} is a new post: the next \`imprint posts sync\` sends it.`;
}

function findReady(slug: string, { desired }: Decision) {
  const post = desired.posts.find((each) => each.slug === slug);
  if (post === undefined) throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
  return post;
}

/** What a command that decides about one post works with. */
export interface Decision {
  readonly repository: PostRepository;
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
      const repository = await openPostRepository(run.posts.store, known.blog.id);
      return await work({
        repository,
        run,
        desired,
        known: known.posts,
        plan: plan.posts,
        collection: blog.collection,
      });
    }),
  );
  const json = { version: 1, slug, message };
  context.out.write(flags.json === true ? formatJson(json) : `${message}\n`);
  return 0;
}
