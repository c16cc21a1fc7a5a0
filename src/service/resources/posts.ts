import type { PostCreateBody, PostPatchBody } from "../../contract/requests.ts";
import type { Blog } from "../store/blogs.ts";
import { deletePost, findPost, savePost, type Post } from "../store/posts.ts";
import { postUrl } from "./addresses.ts";
import { noteTexts } from "./asset-uses.ts";
import { getBlog } from "./blogs.ts";
import type { Context } from "./context.ts";
import { fieldsOf, hashOf, isSamePost, patchedFields, type PostFields } from "./post-fields.ts";
import { ProblemError } from "./problem-error.ts";
import { checkSlug } from "./slugs.ts";
import { checkPreconditions, type Preconditions } from "./versions.ts";

/** A post with the blog that it belongs to. */
export interface BlogPost {
  readonly blog: Blog;
  readonly post: Post;
}

export interface PostWritten extends BlogPost {
  readonly outcome: "created" | "existing";
}

/**
 * Creates a post. The same post once more is answered as it is; another one under a taken slug is `slug_taken`, so
 * that a mistyped slug never overwrites a post. (`quirks.repeatedPost` makes it act otherwise.)
 */
export async function createPost(context: Context, blogName: string, body: PostCreateBody): Promise<PostWritten> {
  const blog = await getBlog(context, blogName);
  const slug = checkSlug(body.slug, "/body/slug");
  const fields = fieldsOf(context, { ...body, slug });
  const existing = await findPost(context.database, { blogId: blog.id, slug });
  if (existing === undefined) return await insertPost(context, { blog, fields, copy: 0 });
  switch (context.quirks.repeatedPost) {
    case "suffix":
      return await insertPost(context, {
        blog,
        fields: { ...fields, slug: await freeSlug(context, existing) },
        copy: 0,
      });
    case "duplicate":
      return await insertPost(context, { blog, fields, copy: existing.copy + 1 });
    case "upsert":
      return { blog, post: await changePost(context, existing, fields), outcome: "existing" };
    case "reject":
      if (
        isSamePost(existing, body.publishedAt === undefined ? { ...fields, publishedAt: existing.publishedAt } : fields)
      ) {
        return { blog, post: existing, outcome: "existing" };
      }
      throw slugTaken(context, { blog, post: existing });
  }
}

export interface PostChange {
  readonly blogName: string;
  readonly slug: string;
  readonly patch: PostPatchBody;
  readonly preconditions: Preconditions;
}

/** Changes the fields that are given; `html` and `markdown` replace each other. */
export async function patchPost(context: Context, change: PostChange): Promise<BlogPost> {
  const { blog, post } = await getPost(context, change);
  checkPreconditions(change.preconditions, post);
  const fields = patchedFields(context, post, change.patch);
  return { blog, post: await changePost(context, post, fields) };
}

export async function removePost(context: Context, removal: Omit<PostChange, "patch">): Promise<void> {
  const { post } = await getPost(context, removal);
  checkPreconditions(removal.preconditions, post);
  await deletePost(context.database, post.id);
}

export async function getPost(
  context: Context,
  { blogName, slug }: { readonly blogName: string; readonly slug: string },
): Promise<BlogPost> {
  const blog = await getBlog(context, blogName);
  const post = await findPost(context.database, { blogId: blog.id, slug });
  if (post === undefined) throw new ProblemError("post_not_found");
  return { blog, post };
}

async function insertPost(
  context: Context,
  { blog, fields, copy }: { readonly blog: Blog; readonly fields: PostFields; readonly copy: number },
): Promise<PostWritten> {
  const { newId, now } = context;
  const post: Post = {
    id: newId("po"),
    blogId: blog.id,
    copy,
    ...fields,
    contentHash: hashOf(fields),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await storePost(context, post);
  return { blog, post, outcome: "created" };
}

async function changePost(context: Context, post: Post, fields: PostFields): Promise<Post> {
  if (isSamePost(post, fields)) return post;
  const changed: Post = {
    ...post,
    ...fields,
    contentHash: hashOf(fields),
    version: post.version + 1,
    updatedAt: context.now,
  };
  await storePost(context, changed);
  return changed;
}

async function storePost(context: Context, post: Post): Promise<void> {
  await savePost(context.database, post);
  const texts = [post.html, post.markdown, post.excerpt, post.coverImage];
  await noteTexts(context, { kind: "post", id: post.id }, texts);
}

async function freeSlug({ database }: Context, { blogId, slug }: Post): Promise<string> {
  for (let number = 2; ; number++) {
    const candidate = `${slug}-${number}`;
    if ((await findPost(database, { blogId, slug: candidate })) === undefined) return candidate;
  }
}

function slugTaken({ addresses }: Context, { blog, post }: BlogPost): ProblemError {
  return new ProblemError("slug_taken", {
    detail: `There is another post "${post.slug}" in this blog.`,
    errors: [{ pointer: "/body/slug", detail: "is taken" }],
    members: {
      existing: {
        id: post.id,
        slug: post.slug,
        url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
        contentHash: post.contentHash,
      },
    },
  });
}
