import type { PostChange } from "../plan/changes.ts";
import { ImprintError } from "../../base/error.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { isHiddenStatus } from "../../contract/dialect.ts";
import { PUBLISH_THERE, restoreHint } from "../plan/block-post.ts";
import { describeOverwritten, findOverwritten, rememberOverwritten } from "./overwritten-posts.ts";
import { hasOtherId, isDecided, isReplacedIn, keepsOld, readShown, repeatPost } from "./repeat-post.ts";
import { createPostsSession, showsAgainMs, type PostsContext } from "./session.ts";
import { recordRenamed } from "./record-renamed.ts";

export type Edit = Extract<PostChange, { kind: "update"; state: "edited" }>;

/**
 * Changes a post by sending it again, and looks whether the list shows that.
 *
 * @throws ImprintError `POST_UNCERTAIN`, `POST_DUPLICATE`, or `NOT_LIVE` if the service kept what it had, or
 *   wrote over another post
 */
export async function changeByPost({ post, file, known: before, ...change }: Edit, context: PostsContext) {
  const { repository } = context;
  const sent = await repeatPost(post, { entry: change.entry, context });
  const update = `Update ${post.slug} in the service's dashboard, then run \`imprint posts ack ${post.slug}\`.`;
  if (sent.kind === "refused") throw refusedError(sent.error, update);
  if (sent.kind !== "taken") {
    throw new ImprintError("POST_UNCERTAIN", `${file} was sent again, but the result is unknown: ${sent.reason}`);
  }
  const match = { post, entry: sent.entry, before };
  const session = createPostsSession(context);
  const repeat = { post, entry: change.entry, id: sent.id, before: context.known };
  const isKnown = (known: KnownPosts) => isDecided(match, known) || findOverwritten(repeat, known).length > 0;
  await session.awaitList(isKnown, showsAgainMs(sent, repository));
  const overwritten = findOverwritten(repeat, session.known);
  if (overwritten.length > 0) {
    await repository.learn({ repeatedPost: "overwrites" });
    const ours = await rememberOverwritten(overwritten, { post, context });
    const message = `${file} was sent again, and ${describeOverwritten(overwritten)}.`;
    throw new ImprintError("NOT_LIVE", message, { hint: [...ours.map(restoreHint), update].join(" ") });
  }
  if (hasOtherId(sent, change.entry) && !isReplacedIn(session.known, change.entry)) {
    await repository.learn({ repeatedPost: "duplicates" });
    const second = sent.url ?? sent.id;
    throw new ImprintError(
      "POST_DUPLICATE",
      `${file} was sent again, and the service created a second post: ${second}.`,
    );
  }
  const { now, old, lacks, entry } = readShown(match, session.known);
  if (old.length > 0) await repository.learn({ repeatedPost: "ignores" });
  if (old.length === 0 || lacks !== undefined) {
    await recordRenamed(repository, [change.name, { ...entry, lacks }], change.formerSlug);
  }
  if (old.length > 0) {
    throw new ImprintError("NOT_LIVE", `${file} was sent again: ${keepsOld(old)}.`, { hint: update });
  }
  const status = now?.record.status;
  if (post.status === "published" && isHiddenStatus(status)) {
    const message = `${file} was sent again, and the service has it as "${status}" now, so readers don't see it.`;
    throw new ImprintError("NOT_LIVE", message, { hint: PUBLISH_THERE });
  }
  return { url: sent.url ?? sent.entry.url };
}

function refusedError(error: unknown, hint: string): unknown {
  return error instanceof ImprintError ? new ImprintError(error.code, error.message, { cause: error, hint }) : error;
}
