import { getCollection, type CollectionEntry } from "astro:content";

export type Post = CollectionEntry<"blog">;

/** Returns all posts except drafts, those with a status and future ones, newest first. */
export async function getPosts(): Promise<Post[]> {
  const now = new Date();
  const isShown = ({ data }: Post) => !data.draft && data.status === undefined && data.pubDate <= now;
  const posts = await getCollection("blog", isShown);
  return posts.sort((a, b) => b.data.pubDate.getTime() - a.data.pubDate.getTime());
}

/** Returns the used tags with their posts, most used first. */
export async function getTags(): Promise<[tag: string, posts: Post[]][]> {
  const posts = await getPosts();
  const tags = new Set(posts.flatMap(({ data }) => data.tags));
  return [...tags]
    .map((tag): [string, Post[]] => [tag, posts.filter(({ data }) => data.tags.includes(tag))])
    .sort(([a, inA], [b, inB]) => inB.length - inA.length || a.localeCompare(b));
}

export const tagPath = (tag: string) => `/blog/tags/${tag.replaceAll(" ", "-")}/`;
