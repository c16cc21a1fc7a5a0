import { sha256 } from "../../base/hash.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import type { PreviewLinkBody } from "../../contract/requests.ts";
import { insertPreviewLink } from "../store/preview-links.ts";
import { previewUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { getPost } from "./posts.ts";
import { DAY_MS } from "./time-range.ts";

const DEFAULT_DAYS = 7;

export interface PreviewLinkRequest extends PreviewLinkBody {
  readonly blogName: string;
  readonly slug: string;
}

/**
 * Makes a link that shows a post to whoever has it, as it is when it is opened, until the link expires or the post is
 * deleted. Only a hash of its token is stored. The post itself stays as it is; throws `post_not_found`.
 */
export async function createPreviewLink(
  context: Context,
  { blogName, slug, expiresInDays = DEFAULT_DAYS }: PreviewLinkRequest,
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const { database, addresses, now, random } = context;
  const { post } = await getPost(context, { blogName, slug });
  const token = `pv_${base62(random(RANDOM_BYTES))}`;
  const expiresAt = new Date(now.getTime() + expiresInDays * DAY_MS);
  await insertPreviewLink(database, { hash: sha256(token), postId: post.id, expiresAt });
  return { url: previewUrl(addresses, token), expiresAt };
}
