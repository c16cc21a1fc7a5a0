import { messageOf } from "../../base/error.ts";
import type { SitePost } from "../../site/model.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { sentVersionOf } from "../identity/fingerprint.ts";
import type { PostsContext } from "./session.ts";

/** What came of sending a post again under the slug that it has. */
export type Repeated =
  /** The service took it; whether it changed the post or made another one, the id may tell. */
  | {
      readonly kind: "taken";
      readonly id: string | undefined;
      readonly url: string | undefined;
      readonly contentHash: string | undefined;
      readonly entry: PostEntry;
    }
  | { readonly kind: "refused" | "unknown"; readonly reason: string };

/** Sends a post that is there once more. Only where that was found to change it, or to find it out. */
export async function repeatPost(
  post: SitePost,
  { entry, context }: { readonly entry: PostEntry; readonly context: PostsContext },
): Promise<Repeated> {
  const { api, blogId } = context;
  const slug = entry.remoteSlug ?? post.slug;
  const body = { ...(await context.payload(post)), slug };
  try {
    const { id, url, contentHash } = await api.posts.create(blogId, body, { idempotencyKey: context.newKey() });
    return { kind: "taken", id, url, contentHash, entry: entryAfter(post, { entry, contentHash }) };
  } catch (error) {
    const { outcome, status } = context.readFailure(error);
    const isRefused = outcome === "refused" || status === 409;
    return { kind: isRefused ? "refused" : "unknown", reason: messageOf(error) };
  }
}

function entryAfter(
  post: SitePost,
  { entry, contentHash }: { readonly entry: PostEntry; readonly contentHash: string | undefined },
): PostEntry {
  const { contentHash: _, ...before } = entry;
  return {
    ...before,
    ...(contentHash === undefined ? {} : { contentHash }),
    file: post.file,
    ...sentVersionOf(post),
    state: "confirmed",
  };
}
