import { pluralize } from "../../base/pluralize.ts";
import type { SitePost } from "../post.ts";
import type { PostChange } from "./changes.ts";
import type { BlogView } from "./plan.ts";

const LARGEST_CLOCK_ERROR_MS = 300_000;

/** Holds a post that is due by the clock here, and not by the service's: a published post can't be withdrawn. */
export function waitForService(post: SitePost, { rules, known: { readAt } }: BlogView): PostChange | undefined {
  const { slug: name, file, publishedAt: until } = post;
  const { clockAheadMs = 0 } = rules.capabilities;
  // While there is no blog yet, nothing was read.
  const isRead = readAt.getTime() > 0;
  if (until === undefined || !isRead || clockAheadMs < LARGEST_CLOCK_ERROR_MS) return undefined;
  if (until.getTime() <= readAt.getTime() - clockAheadMs) return undefined;
  const ahead = Math.round(clockAheadMs / 60_000);
  const reason = `it is due at ${until.toISOString()}, but this machine's clock is ${pluralize(ahead, "minute")} ahead of the service's`;
  return { kind: "wait", state: "settling", name, file, until, reason };
}
