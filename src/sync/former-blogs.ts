import { listFirstNames } from "../base/list-names.ts";
import type { Post } from "../client/api.ts";
import { isHiddenStatus } from "../contract/dialect.ts";
import type { HeldFile } from "../posts/plan/changes.ts";
import { isSamePost } from "../posts/identity/identity.ts";
import { ledgerKey } from "../posts/memory/repository.ts";
import type { SiteWarning } from "../site/model.ts";
import type { Blocked } from "./changes.ts";
import type { Known } from "./known.ts";
import type { Run } from "./run.ts";
import { ifAnswered } from "./seen.ts";

/** A post in a blog that the project no longer publishes to. */
export interface FormerPost {
  readonly slug: string;
  readonly url: string | undefined;
}

/**
 * Finds the posts that readers still see in blogs that the project published to before: with `posts.target: "blog"`, or
 * before `posts.blog.id` was changed.
 */
export async function findFormerPosts(
  { api, memory, posts, request }: Pick<Run, "api" | "memory" | "posts" | "request">,
  known: Pick<Known, "blog" | "posts">,
): Promise<readonly FormerPost[]> {
  const { options, preview } = request;
  if (options.posts === false || preview !== undefined) return [];
  const { target } = posts.store;
  const former = Object.entries(memory.lock.posts ?? {}).filter(
    ([key, { blog }]) => blog !== known.blog?.id && key === ledgerKey(target, blog),
  );
  // Some lists ignore the blog.
  const isPresent = ({ id, url }: Post) =>
    known.posts?.posts.some(({ record }) => (id === undefined ? record.url === url : record.id === id)) === true;
  const found = await Promise.all(
    former.map(async ([, { blog, posts: entries }]) => {
      const listed = await ifAnswered(api.posts.list(blog, { signal: request.signal }));
      const shown = listed?.items.filter((post) => !isHiddenStatus(post.status) && !isPresent(post)) ?? [];
      return Object.entries(entries).flatMap(([slug, entry]): FormerPost[] => {
        const post = shown.find((each) => isSamePost(each, { slug, entry }));
        return post === undefined ? [] : [{ slug, url: post.url ?? entry.url }];
      });
    }),
  );
  return found.flat();
}

const UNPUBLISH = "Unpublish or delete them in the service's dashboard.";

/** Names the posts that stay in a former blog, and reports those that their authors now hide. */
export function planFormerPosts(
  found: readonly FormerPost[],
  held: readonly HeldFile[],
): { readonly warnings: readonly SiteWarning[]; readonly limits: readonly Blocked[] } {
  const hidden = new Set(held.flatMap(({ slug, reason }) => (HIDES.has(reason) ? [slug] : [])));
  const { still = [], withdrawn = [] } = Object.groupBy(found, ({ slug }) =>
    hidden.has(slug) ? "withdrawn" : "still",
  );
  const where = "in a blog that this project no longer publishes to";
  const message = `These posts are still published ${where}, so edits don't reach them: ${describe(still)}. ${UNPUBLISH}`;
  const reason = `readers still see posts that are hidden now, ${where}: ${describe(withdrawn)}`;
  return {
    warnings: still.length === 0 ? [] : [{ code: "former-blog", file: "posts", message }],
    limits: withdrawn.length === 0 ? [] : [{ kind: "blocked", name: "posts", reason, hint: UNPUBLISH }],
  };
}

const HIDES: ReadonlySet<HeldFile["reason"]> = new Set(["draft", "scheduled", "expired"]);

function describe(found: readonly FormerPost[]): string {
  return listFirstNames(found.map(({ slug, url }) => (url === undefined ? slug : `${slug} (${url})`)));
}
