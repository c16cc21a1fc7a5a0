import type { Stranger } from "../host.ts";
import { shownHtml } from "../host/public-pages.ts";
import type { PostRecord } from "../host/world.ts";
import type { BuiltPage, BuiltPost, BuiltSite } from "./built-site.ts";
import { readFacts } from "./document.ts";
import { namesOfRoute, namesOfText, type Difference, type DifferenceKind } from "./difference.ts";
import { findFault, loadedBy, resolve, type Visitor } from "./visitor.ts";

export interface PostsToCheck {
  readonly stranger: Stranger;
  readonly visitor: Visitor;
  readonly built: BuiltSite;
  /** This project's posts on the host. */
  readonly posts: readonly PostRecord[];
}

/** Checks that each published post exists once and completely, and drafts nowhere. */
export async function checkPosts(all: PostsToCheck): Promise<readonly Difference[]> {
  const { built, posts, stranger } = all;
  const differences: Difference[] = [];
  for (const post of built.posts) {
    const live = posts.filter(({ title }) => title === post.title);
    if (post.isDraft) {
      if (live.length > 0) differences.push(about("draft", post, "is a draft and in the blog"));
      continue;
    }
    if (stranger.dialect.posts.kept === "draft") {
      // A deleted draft isn't missing.
      if (live.length > 0) differences.push(about("post-missing", post, "is a draft at the host"));
      continue;
    }
    if (live.length > 1) differences.push(about("post-twice", post, `is there ${live.length} times`));
    const [first] = live;
    differences.push(
      ...(first === undefined ? [about("post-missing", post, "is not in the blog")] : await compare(all, post, first)),
    );
  }
  const known = new Set(built.posts.map(({ title }) => title));
  const strange = posts.filter(({ title }) => !known.has(title));
  return [
    ...differences,
    ...strange.map(({ slug, title }) => {
      const what = `a post "${title}" that nobody wrote`;
      return { kind: "post-twice", about: slug, what, names: namesOfText(slug, title) } as const;
    }),
  ];
}

async function compare(
  { stranger, visitor, built }: PostsToCheck,
  post: BuiltPost,
  live: PostRecord,
): Promise<readonly Difference[]> {
  const facts = readFacts(shownHtml(live, stranger.dialect));
  const differences: Difference[] = [];
  if (!facts.text.replaceAll(" ", "").includes(post.words.replaceAll(" ", ""))) {
    differences.push(about("post-differs", post, `shows "${facts.text.slice(0, 80)}"`));
  }
  if (facts.images.length < post.pictures) {
    differences.push(about("post-file", post, `has ${facts.images.length} pictures instead of ${post.pictures}`));
  }
  // The host serves posts under the address of its pages.
  const shownAt = `${stranger.pagesBase}/blog/news/${live.slug}`;
  for (const file of await loadedBy(visitor, facts, shownAt)) {
    const fault = await findFault(visitor, file);
    if (fault !== undefined) differences.push(about("post-file", post, fault));
  }
  for (const [index, href] of post.links.entries()) {
    const given = facts.links[index];
    const wanted = built.pages.find(({ route }) => route === href);
    const fault = given === undefined ? "is gone" : await findLinkFault(visitor, resolve(given, shownAt), wanted);
    if (fault === undefined) continue;
    const broken = about("post-link", post, `the link to ${href} became ${given} and ${fault}`);
    // A report that the page is missing covers the links to it.
    differences.push({ ...broken, names: [...broken.names, ...namesOfRoute(href)] });
  }
  return differences;
}

async function findLinkFault(
  visitor: Visitor,
  url: string,
  wanted: BuiltPage | undefined,
): Promise<string | undefined> {
  if (!/^https?:/.test(url)) return "is no address";
  const { status, facts } = await visitor.openPage(url);
  if (status !== 200) return `answers ${status}`;
  return facts.title === wanted?.facts.title ? undefined : `shows "${facts.title}"`;
}

function about(kind: DifferenceKind, { slug, title }: BuiltPost, what: string): Difference {
  return { kind, about: slug, what: `post ${slug}: ${what}`, names: namesOfText(slug, title) };
}
