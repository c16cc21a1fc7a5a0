import { ImprintError } from "../../base/error.ts";
import { entryOfFound, entryOfVersion, findRemembered } from "../../posts/identity/found-post.ts";
import { sentHashOf } from "../../posts/identity/fingerprint.ts";
import { findMatches, indexPosts, slugOfRecord } from "../../posts/identity/identity.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { postUid } from "../../posts/identity/marker.ts";
import { openPostRepository, type PostRepository } from "../../posts/memory/repository.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { withPostsRun, withPostsTarget } from "./open-posts.ts";

export { declareNewPosts as "new-post" };

/** `imprint posts ack <slug>`: the blog has the present version, as a person says. */
export function ack(run: AccountRun): Promise<AccountResult> {
  const [slug = ""] = run.args;
  return decideAboutPost(slug, run, async (decision) => {
    const { repository, known, collection } = decision;
    const post = findReady(slug, decision);
    const change = decision.plan.find(({ name }) => name === slug);
    // What its links led to may be elsewhere since.
    const isDrifted = change?.kind === "keep" && change.state === "unchanged" && change.entry.sent !== sentHashOf(post);
    if (change?.kind === "keep" && !isDrifted) return `${post.file} is up to date already.`;
    if (change?.kind === "update") {
      throw new ImprintError("USAGE", `This service takes edits: ${post.file} would no longer be sent to readers.`, {
        hint: "Run `imprint posts sync` to publish the edit.",
      });
    }
    const former = [...repository.ledger.entries].find(([name, { file }]) => name !== slug && file === post.file);
    const entry = repository.ledger.entries.get(slug) ?? former?.[1];
    const uid = postUid({ collection, slug });
    const identity = { slug: former?.[0] ?? slug, uid, post, entry };
    const [match] = findMatches(identity, indexPosts(known.posts));
    if (match === undefined) throw notInBlog(slug);
    const acknowledged = entryOfVersion(
      post,
      { ...match.record, slug: match.record.slug ?? former?.[0] },
      {
        state: "acknowledged",
        replaces: entry?.replaces,
        createdAt: entry?.createdAt ?? decision.run.posts.clock.now().toISOString(),
      },
    );
    await repository.record(new Map([...forgetting(former?.[0]), [slug, acknowledged]]));
    return `${post.file} counts as published as it is now.`;
  });
}

/** `imprint posts restore <slug>`: forgets a post that was removed, so that it is new again. */
export function restore(run: AccountRun): Promise<AccountResult> {
  const [slug = ""] = run.args;
  return decideAboutPost(slug, run, async ({ repository, known }) => {
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

/** `imprint posts rename <old> <new>`: a file is a published post under another name, as a person says. */
export function rename(run: AccountRun): Promise<AccountResult> {
  // The slug under which the post was published, or its id at the service; and the slug of the local post.
  const [from = "", to = ""] = run.args;
  return decideAboutPost(to, run, async (decision) => {
    const { repository, known, desired } = decision;
    const { api, posts } = decision.run;
    const post = findReady(to, decision);
    if (repository.ledger.entries.has(to)) throw new ImprintError("USAGE", `"${to}" is published already.`);
    const former = findRemembered(from, known);
    if (former === undefined) throw notInBlog(from);
    const { slug, entry: remembered } = former;
    const isInUse = remembered !== undefined && desired.posts.some((each) => each.slug === slug);
    if (isInUse) throw new ImprintError("USAGE", `"${from}" has a file of its own: ${remembered.file}.`);
    const canPatch = api.capabilities.operations.has("posts.patch");
    const entry = entryOfFound(post, former, { canPatch, now: posts.clock.now() });
    await repository.record(new Map([...forgetting(remembered && slug), [to, entry]]));
    return `${post.file} is the published post "${from}". Its address in the blog stays.`;
  });
}

/** `imprint posts new-post <slug...>`: posts are new, as a person says, though they resemble published ones. */
function declareNewPosts(run: AccountRun): Promise<AccountResult> {
  return decideAboutPost(run.args.join(" "), run, async (decision) => {
    const messages: string[] = [];
    for (const slug of run.args) messages.push(await declareNew(slug, decision));
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

function notInBlog(slug: string): ImprintError {
  return new ImprintError("USAGE", `The blog has no post "${slug}".`, {
    hint: "`imprint posts list` shows what it has.",
  });
}

function forgetting(slug: string | undefined): readonly (readonly [string, undefined])[] {
  return slug === undefined ? [] : [[slug, undefined]];
}

/** What a command that decides about one post works with. */
interface Decision {
  readonly repository: PostRepository;
  readonly run: Run;
  readonly desired: PlannedSite["desired"];
  readonly known: KnownPosts;
  /** What a sync would do. */
  readonly plan: readonly PostChange[];
  readonly collection: string;
}

/** Writes down what a person decided about a post, and says what follows from it. Sends no write. */
async function decideAboutPost(
  slug: string,
  { flags, context }: AccountRun,
  work: (decision: Decision) => Promise<string>,
): Promise<AccountResult> {
  const message = await withPostsTarget({ flags, context }, (request) =>
    withPostsRun(request, async (run) => {
      const { plan, known, desired } = await planDryRun(run);
      const { blog } = desired;
      if (blog === undefined) throw new ImprintError("USAGE", '`posts.target` is "pages", so there is no blog.');
      if (known.blog === undefined || known.posts === undefined) {
        throw new ImprintError("USAGE", `There is no blog yet that "${slug}" could be in.`);
      }
      const repository = await openPostRepository(run.posts.store, known.blog.id);
      const { collection } = blog;
      return await work({ repository, run, desired, known: known.posts, plan: plan.posts, collection });
    }),
  );
  return { json: { version: 1, slug, message }, text: `${message}\n` };
}
