import { ImprintError } from "../../base/error.ts";
import { hintRestore } from "../../posts/identity/completeness.ts";
import { entryOfFound, entryOfVersion, findRemembered } from "../../posts/identity/found-post.ts";
import { isShownAs, sentHashOf, shownHashOf } from "../../posts/identity/fingerprint.ts";
import { findMatches, indexPosts, slugOfRecord, type RemotePost } from "../../posts/identity/identity.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { postUid } from "../../posts/identity/marker.ts";
import { isRewrittenCopy } from "../../posts/identity/resemblance.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { openPostRepository, type PostRepository } from "../../posts/memory/repository.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { hasOtherTitle, mayChangePosts } from "../../posts/plan/block-post.ts";
import { planSite, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { noReadyPost, withPostsRun, withPostsTarget } from "./open-posts.ts";

export { declareNewPosts as "new-post" };

/**
 * `imprint posts ack <slug>`: marks a post as up to date, because a person edited it on the service. If its file was
 * edited too, and the service can change posts, the next run sends the file.
 */
export function ack(run: AccountRun): Promise<AccountResult> {
  const [slug = ""] = run.args;
  return decideAboutPost(slug, run, async (decision) => {
    const { repository, known, collection } = decision;
    const post = findReady(slug, decision);
    const change = decision.plan.find(({ name }) => name === slug);
    if (repository.ledger.writtenOver?.has(slug) === true && change?.kind === "blocked") {
      throw new ImprintError("USAGE", `"${slug}" isn't up to date: ${change.reason}.`, { hint: change.hint ?? "" });
    }
    // The targets of its links may have moved since.
    const isDrifted = change?.kind === "keep" && change.state === "unchanged" && change.entry.sent !== sentHashOf(post);
    const isEditedThere = change?.kind === "keep" && change.state === "changed-remotely";
    const isUnshown = change?.kind === "keep" && change.entry.unshown === true;
    if (change?.kind === "keep" && !isDrifted && !isEditedThere && !isUnshown)
      return `${post.file} is already up to date.`;
    if (change?.kind === "update") {
      const message = `This service accepts edits: after \`ack\`, the changes in ${post.file} would never be published.`;
      throw new ImprintError("USAGE", message, { hint: "Run `imprint posts sync` to publish the edit." });
    }
    const former = [...repository.ledger.entries].find(([name, { file }]) => name !== slug && file === post.file);
    const named = repository.ledger.entries.get(slug);
    // Another post was published under its slug, if that changed.
    const displaced = change?.kind === "blocked" && change.state === "slug-changed" ? named : undefined;
    const entry = displaced === undefined ? (named ?? former?.[1]) : former?.[1];
    const uid = postUid({ collection, slug });
    const identity = { slug: former?.[0] ?? slug, uid, post, entry };
    const [match] = findMatches(identity, indexPosts(known.posts));
    if (match === undefined && isUnshown) {
      await repository.record(new Map([[slug, { ...change.entry, state: "acknowledged" }]]));
      return `Marked ${post.file} as up to date, although the service's list doesn't show it.`;
    }
    if (match === undefined) throw notInBlog(slug);
    if (
      change?.kind === "blocked" &&
      change.state === "edited" &&
      change.seen !== undefined &&
      mayChangePosts(decision.run.api, known)
    ) {
      // The file's edit is still to be sent.
      const { entry: found, formerSlug = slug } = change.seen;
      const { contentHash = found.contentHash } = match.record;
      const shown = shownHashOf(match.record) ?? found.shown;
      await repository.record(new Map([[formerSlug, { ...found, contentHash, shown, seen: undefined }]]));
      return `The next run sends ${post.file}, and replaces the change made on the service.`;
    }
    const acknowledged = entryOfVersion(
      post,
      { ...match.record, slug: match.record.slug ?? former?.[0] },
      {
        state: "acknowledged",
        replaces: entry?.replaces,
        createdAt: entry?.createdAt ?? decision.run.posts.clock.now().toISOString(),
      },
    );
    const kept = displaced && { ...displaced, remoteSlug: displaced.remoteSlug ?? slug };
    await repository.record(
      new Map([...(former === undefined ? [] : [[former[0], kept] as const]), [slug, acknowledged]]),
    );
    const isByHand = change?.kind === "blocked" && change.isByHand === true;
    const other = hasOtherTitle(post, match)
      ? `, although the blog shows another title: "${match.record.title}"`
      : isByHand && isAsSent(entry, match)
        ? ", although the blog still shows the version from before. Change it there if readers need the edit"
        : "";
    return `Marked ${post.file} as up to date${other}.`;
  });
}

/** Whether the blog's list shows a post as it did after it was sent. */
function isAsSent(entry: PostEntry | undefined, { record }: RemotePost): boolean {
  const now = shownHashOf(record);
  return entry?.shown !== undefined && now !== undefined && isShownAs(entry.shown, now);
}

/**
 * `imprint posts restore <slug>`: forgets a post that was deleted on the service, so that it is new again. With
 * `--force`, also if the service only doesn't list it.
 */
export function restore(run: AccountRun): Promise<AccountResult> {
  const [slug = ""] = run.args;
  return decideAboutPost(slug, run, async ({ repository, known, collection, desired }) => {
    const entry = repository.ledger.entries.get(slug);
    if (entry === undefined) throw new ImprintError("USAGE", `"${slug}" was never published from here.`);
    const post = desired.posts.find((each) => each.slug === slug);
    const isTaken = (found: RemotePost) => isRewrittenCopy(found, { slug, post, entry });
    const identity = { slug, uid: postUid({ collection, slug }), post, entry, isTaken };
    if (findMatches(identity, indexPosts(known.posts)).length > 0) {
      throw new ImprintError("USAGE", `Nothing was changed: the blog has the post "${slug}".`);
    }
    if (known.unlisted?.has(slug) === true) {
      const message = `Nothing was changed: readers see "${slug}" at ${entry.url}, although the service's list lacks it.`;
      throw new ImprintError("USAGE", message, { hint: "To publish it again, delete it on the service first." });
    }
    const isDeleted = known.gone.has(slug) && known.showsDrafts;
    if (!isDeleted && run.flags.force !== true) {
      const message = `Nothing was changed: imprint can't confirm that "${slug}" was deleted on the service.`;
      const hint = `${hintRestore(slug)} If it still exists, perhaps as a draft, that publishes it a second time.`;
      throw new ImprintError("USAGE", message, { hint });
    }
    // Without the entry, the copy would be taken for the post.
    const copy = known.posts.find((found) => found.marker?.uid === identity.uid && isTaken(found));
    if (copy !== undefined) {
      const name = slugOfRecord(copy.record) ?? copy.record.id;
      const message = `Nothing was changed: "${name}" on the blog was made from a copy of "${slug}", and would be taken for it.`;
      const hint = `Remove the hidden \`<span data-imprint-post>\` from its HTML there, or give your post another \`slug\`.`;
      throw new ImprintError("USAGE", message, { hint });
    }
    await repository.record(new Map([[slug, undefined]]));
    return `The next \`imprint posts sync\` republishes ${slug}.`;
  });
}

/** `imprint posts rename <old> <new>`: links a file to the published post that it was renamed from. */
export function rename(run: AccountRun): Promise<AccountResult> {
  // The slug under which the post was published, or its ID on the service; and the slug of the local post.
  const [from = "", to = ""] = run.args;
  return decideAboutPost(to, run, async (decision) => {
    const { repository, known, desired } = decision;
    const { api, posts } = decision.run;
    const post = findReady(to, decision);
    if (repository.ledger.entries.has(to)) throw new ImprintError("USAGE", `"${to}" is already published.`);
    const former = findRemembered(from, known);
    if (former === undefined) throw notInBlog(from);
    const { slug, entry: remembered } = former;
    const isInUse = remembered !== undefined && desired.posts.some((each) => each.slug === slug);
    if (isInUse) throw new ImprintError("USAGE", `"${from}" already has a file: ${remembered.file}.`);
    const canPatch = api.capabilities.operations.has("posts.patch");
    const entry = entryOfFound(post, former, { canPatch, now: posts.clock.now() });
    await repository.record(new Map([...(remembered === undefined ? [] : [[slug, undefined] as const]), [to, entry]]));
    return `Linked ${post.file} to the published post "${from}". Its address in the blog doesn't change.`;
  });
}

/** `imprint posts new-post <slug...>`: declares posts as new although they resemble published ones. */
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
    const { completeness } = decision.known;
    const mayBeUnlisted = completeness.kind === "unproven" && change?.reason === completeness.reason;
    if (change?.kind !== "blocked" || (change.state !== "resembles" && !mayBeUnlisted)) {
      const reason = change?.reason ?? "it is not ready";
      throw new ImprintError("USAGE", `"${slug}" is not on hold as a possible rename: ${reason}.`);
    }
    const others = decision.known.posts.flatMap(({ record }) => {
      const isShown = change.places.some((place) => record.id !== undefined && place.includes(record.id));
      return isShown && slugOfRecord(record) === undefined ? (record.id ?? []) : [];
    });
    await decision.repository.declareNew(slug, others);
  }
  return `The next \`imprint posts sync\` publishes ${file} as a new post.`;
}

function findReady(slug: string, { desired }: Decision) {
  const post = desired.posts.find((each) => each.slug === slug);
  if (post === undefined) throw noReadyPost(slug);
  return post;
}

function notInBlog(slug: string): ImprintError {
  return new ImprintError("USAGE", `The blog has no post "${slug}".`, {
    hint: "List its posts with `imprint posts list`.",
  });
}

/** The context of a command that decides about one post. */
interface Decision {
  readonly repository: PostRepository;
  readonly run: Run;
  readonly desired: PlannedSite["desired"];
  readonly known: KnownPosts;
  /** What a sync would do. */
  readonly plan: readonly PostChange[];
  readonly collection: string;
}

/** Records a person's decision about a post, and reports its effect. Sends nothing. */
async function decideAboutPost(
  slug: string,
  { flags, context }: AccountRun,
  work: (decision: Decision) => Promise<string>,
): Promise<AccountResult> {
  const message = await withPostsTarget({ flags, context }, (request) =>
    withPostsRun(request, async (run) => {
      const { plan, known, desired } = await planSite(run);
      const { blog } = desired;
      if (blog === undefined) throw new ImprintError("USAGE", '`posts.target` is "pages", so there is no blog.');
      if (known.blog === undefined || known.posts === undefined) {
        throw new ImprintError("USAGE", `The blog doesn't exist yet, so it can't have "${slug}".`);
      }
      const repository = await openPostRepository(run.posts.store, known.blog.id);
      const { collection } = blog;
      return await work({ repository, run, desired, known: known.posts, plan: plan.posts, collection });
    }),
  );
  return { json: { version: 1, slug, message }, text: `${message}\n` };
}
