import { isSamePost } from "../identity/identity.ts";
import type { PostEntry } from "../memory/ledger.ts";
import type { PostRepository } from "../memory/repository.ts";

/** Records the entry of a post that may have had another name. Another post that has that name by now keeps its entry. */
export async function recordRenamed(
  repository: PostRepository,
  [name, entry]: readonly [string, PostEntry],
  formerSlug: string | undefined,
): Promise<void> {
  const former = formerSlug === undefined ? undefined : repository.ledger.entries.get(formerSlug);
  const isFree = formerSlug !== undefined && former !== undefined && isSameEntry([formerSlug, former], [name, entry]);
  await repository.record(new Map([...(isFree ? [[formerSlug, undefined] as const] : []), [name, entry]]));
}

/** Whether two entries are of the same published post, which keeps its slug when its file gets another name. */
function isSameEntry([formerSlug, former]: readonly [string, PostEntry], [slug, entry]: readonly [string, PostEntry]) {
  const { id, url, remoteSlug = formerSlug } = former;
  return isSamePost({ id, url, slug: remoteSlug }, { slug, entry });
}
