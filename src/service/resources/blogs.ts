import { canonicalLanguage } from "../../base/language.ts";
import type { BlogCreateBody } from "../../contract/operations/blogs.ts";
import { checkPreconditions, type Preconditions } from "../http/messages.ts";
import { findBlog, saveBlog, type Blog } from "../store/blogs.ts";
import { recordTextUses } from "./asset-uses.ts";
import type { Context } from "./context.ts";
import { applyPatch, checkSite, checkSlug, fieldProblem, found, slugFrom } from "./fields.ts";

export interface BlogWritten {
  readonly blog: Blog;
  readonly outcome: "created" | "existing";
}

export async function getBlog({ database, accountId }: Context, idOrSlug: string): Promise<Blog> {
  return found(await findBlog(database, { accountId, idOrSlug }), "blog_not_found");
}

const NEW_BLOG = { description: null, siteId: null, language: null, postCount: 0 };

/** Returns the version of a blog: it has no number of its own, as the API sends and accepts none. */
export function blogVersion({ updatedAt }: Pick<Blog, "updatedAt">): number {
  return updatedAt.getTime();
}

/** Creates a blog, or updates the one with this slug: route set B can't list blogs. */
export async function createBlog(
  context: Context,
  body: BlogCreateBody,
  preconditions: Preconditions = {},
): Promise<BlogWritten> {
  const { database, accountId, newId, now } = context;
  const slug = checkSlug(body.slug ?? slugFrom(body.name, "blog"), "/body/slug");
  await checkSite(context, body.siteId);
  const existing = await findBlog(database, { accountId, idOrSlug: slug });
  checkPreconditions(preconditions, existing && { version: blogVersion(existing) });
  const known: Blog = existing ?? {
    id: newId("bl"),
    ...NEW_BLOG,
    name: body.name,
    slug,
    createdAt: now,
    updatedAt: now,
  };
  const language = typeof body.language === "string" ? checkLanguage(body.language) : body.language;
  const blog = { ...applyPatch(known, { ...body, slug, language }), updatedAt: now };
  if (existing !== undefined && isSameBlog(existing, blog)) return { blog: existing, outcome: "existing" };
  await saveBlog(database, accountId, blog);
  if (existing?.description !== blog.description) {
    await recordTextUses(context, { kind: "blog", id: blog.id }, [blog.description]);
  }
  return { blog, outcome: existing === undefined ? "created" : "existing" };
}

function isSameBlog(left: Blog, right: Blog): boolean {
  const fields = ["name", "description", "siteId", "language"] as const;
  return fields.every((field) => left[field] === right[field]);
}

function checkLanguage(tag: string): string {
  const language = canonicalLanguage(tag);
  if (language !== undefined) return language;
  throw fieldProblem("invalid_body", "language", "must be a language tag, such as en or pt-BR");
}
