// Reports a new post that the service wrote over another one of its blog, so that each run names both.
import { ImprintError } from "../../base/error.ts";
import type { Outcome } from "../../base/outcome.ts";
import { isHiddenStatus } from "../../contract/dialect.ts";
import { slugOfRecord } from "../identity/identity.ts";
import { findLikeness } from "../identity/written-over.ts";
import { restoreHint } from "../plan/block-post.ts";
import { describeOver, overHint } from "../plan/written-over-post.ts";
import type { SitePost } from "../post.ts";
import type { CreatedOver } from "./created-over.ts";
import type { ListWatch } from "./list-watch.ts";
import { rememberOverwritten } from "./overwritten-posts.ts";
import type { PostsContext } from "./session.ts";

interface Reported extends Pick<Outcome, "resource" | "kind" | "name" | "reason"> {
  readonly post: SitePost;
  readonly over: CreatedOver;
}

/** Reports both posts, and records it, so that each run reports it. Stops if the next posts may fare the same. */
export async function reportCreatedOver(
  { post, over: { was, ours }, ...change }: Reported,
  context: PostsContext & { readonly watch: Pick<ListWatch, "stop"> },
): Promise<void> {
  const { repository, wanted, onOutcome, watch } = context;
  const { id, url, title, html, status } = was.record;
  const over = { id, url, slug: slugOfRecord(was.record), title };
  const likeness = findLikeness(post, over);
  if (likeness === "any") watch.stop(`the service wrote ${post.slug} over another post, and may do so with this one`);
  await repository.learn({ newPostOver: likeness });
  await repository.recordWrittenOver(post.slug, { sent: post.title, ...over });
  const file = wanted.posts.find(({ slug }) => slug === ours)?.file ?? ours;
  const whose = file ?? "another post of the blog";
  const message = `${post.file} was sent as a new post, and the service wrote it over ${whose}, ${describeOver(over)}.`;
  // Logs may be public, and a draft isn't.
  const isPrintable = ours === undefined && html !== undefined && !isHiddenStatus(status);
  const text = isPrintable ? ` The text it had: ${html}` : "";
  const hint = overHint(over, { post, isOurs: ours !== undefined }) + text;
  onOutcome({ ...change, status: "failed", error: new ImprintError("NOT_LIVE", message, { hint }) });
  if (ours === undefined) return;
  await rememberOverwritten([was], { post, context });
  const { fresh, entries } = repository.ledger;
  const lost = `${file} was published, and then the service wrote ${post.file} over it.`;
  onOutcome({
    resource: "post",
    kind: fresh?.has(ours) === true ? "create" : "keep",
    name: ours,
    reason: `the service wrote ${post.file} over it`,
    status: "failed",
    url: entries.get(ours)?.url,
    error: new ImprintError("NOT_LIVE", lost, { hint: restoreHint(ours) }),
  });
}
