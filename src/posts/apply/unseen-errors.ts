import { ImprintError } from "../../base/error.ts";
import { hintRestore } from "../identity/completeness.ts";
import { PUBLISH_THERE } from "../plan/block-post.ts";
import type { SitePost } from "../post.ts";

export const UNLISTED = "the service's list doesn't show it";

/** The error for a new post that readers don't see. */
export function unshownError({ slug, file }: SitePost, why: string): ImprintError {
  const message = `${file} was published, but readers don't see it: ${why}.`;
  const hint = `${PUBLISH_THERE} Or run \`imprint posts ack ${slug}\` if readers don't need to see it yet. ${hintRestore(slug)}`;
  return new ImprintError("NOT_LIVE", message, { hint });
}

/** The error for a new post that the service has with a status that hides it. */
export function hiddenError({ file }: SitePost, status: string | undefined): ImprintError {
  const message = `${file} was published, but the service has it as "${status}", so readers don't see it.`;
  return new ImprintError("NOT_LIVE", message, { hint: PUBLISH_THERE });
}
