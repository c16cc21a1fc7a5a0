import type { Outcome } from "../../base/outcome.ts";
import { listFirstNames, listNames } from "../../base/list-names.ts";
import type { Post } from "../../client/api.ts";
import { payloadOf } from "../identity/fingerprint.ts";
import { isSamePost } from "../identity/identity.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";

interface DroppedContext extends Pick<PostsContext, "api" | "repository"> {
  readonly session: PostsSession;
}

// Blogs may store only the day, in a time zone of their own.
const SAME_DAY_MS = 36 * 60 * 60 * 1000;
const MOST_NAMED = 3;

/** Returns a notice about fields of new posts that the blog accepted, and shows without their values. */
export function findDroppedFields(
  posts: readonly SitePost[],
  { api, repository, session }: DroppedContext,
): Outcome | undefined {
  if (api.capabilities.account !== undefined) return undefined;
  const omitted = new Set(api.dialect.postOmits);
  const dropped = posts.flatMap((post) => {
    const entry = repository.ledger.entries.get(post.slug);
    const isIt = ({ record }: { readonly record: Post }) =>
      entry !== undefined && isSamePost(record, { slug: post.slug, entry });
    const fields = droppedFrom(post, session.known.posts.find(isIt)?.record).filter((field) => !omitted.has(field));
    return fields.length === 0 ? [] : [{ slug: post.slug, fields }];
  });
  if (dropped.length === 0) return undefined;
  const fields = [...new Set(dropped.flatMap((each) => each.fields))].map(wordsOf);
  const slugs = listFirstNames(
    dropped.map(({ slug }) => slug),
    MOST_NAMED,
  );
  return {
    resource: "host",
    kind: "blocked",
    name: "posts",
    reason: `the service accepts the ${listNames(fields)} of posts, but doesn't show them: ${slugs}`,
    hint: "If readers need them, set them in the service's dashboard.",
    counts: "never",
    status: "skipped",
  };
}

function droppedFrom(post: SitePost, shown: Post | undefined): readonly string[] {
  if (shown === undefined) return [];
  const { publishedAt, ...sent } = payloadOf(post, { uid: "", project: undefined, addressOf: (hash) => hash });
  // An empty list of tags is sent, too.
  const isSent = (field: string) => String(Reflect.get(sent, field) ?? "") !== "";
  const difference = (shown.publishedAt?.getTime() ?? Number.NaN) - Date.parse(publishedAt ?? "");
  return [...(Math.abs(difference) > SAME_DAY_MS ? ["publishedAt"] : []), ...(shown.unset ?? []).filter(isSent)];
}

/** The name of a field in reports: `twoWords` → `two words`. */
export function wordsOf(field: string): string {
  return field === "publishedAt" ? "date" : field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
