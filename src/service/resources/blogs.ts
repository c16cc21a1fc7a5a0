import { canonicalLanguage } from "../../base/language.ts";
import type { BlogCreateBody } from "../../contract/operations/blogs.ts";
import { findBlog, saveBlog, type Blog } from "../store/blogs.ts";
import { findSite } from "../store/sites.ts";
import { noteTexts } from "./asset-uses.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { checkSlug, slugFrom } from "./slugs.ts";

export interface BlogWritten {
  readonly blog: Blog;
  readonly outcome: "created" | "existing";
}

export async function getBlog({ database, accountId }: Context, idOrSlug: string): Promise<Blog> {
  const blog = await findBlog(database, { accountId, idOrSlug });
  if (blog === undefined) throw new ProblemError("blog_not_found");
  return blog;
}

/** Creates a blog, or gives the one with this slug the fields that are sent: route set B can't list blogs. */
export async function createBlog(context: Context, body: BlogCreateBody): Promise<BlogWritten> {
  const { database, accountId, newId, now } = context;
  const slug = checkSlug(body.slug ?? slugFrom(body.name, "blog"), "/body/slug");
  await checkSite(context, body.siteId);
  const existing = await findBlog(database, { accountId, idOrSlug: slug });
  const blog: Blog = {
    id: existing?.id ?? newId("bl"),
    name: body.name,
    slug,
    description: body.description === undefined ? (existing?.description ?? null) : body.description,
    siteId: body.siteId === undefined ? (existing?.siteId ?? null) : body.siteId,
    language: body.language === undefined ? (existing?.language ?? null) : checkLanguage(body.language),
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
    postCount: existing?.postCount ?? 0,
  };
  if (existing !== undefined && isSameBlog(existing, blog)) return { blog: existing, outcome: "existing" };
  await saveBlog(database, accountId, blog);
  if (existing?.description !== blog.description) {
    await noteTexts(context, { kind: "blog", id: blog.id }, [blog.description]);
  }
  return { blog, outcome: existing === undefined ? "created" : "existing" };
}

function isSameBlog(left: Blog, right: Blog): boolean {
  const fields = ["name", "description", "siteId", "language"] as const;
  return fields.every((field) => left[field] === right[field]);
}

function checkLanguage(tag: string | null): string | null {
  if (tag === null) return null;
  const language = canonicalLanguage(tag);
  if (language !== undefined) return language;
  throw new ProblemError("invalid_body", {
    errors: [{ pointer: "/body/language", detail: "has to be a language tag, such as en or pt-BR" }],
  });
}

async function checkSite({ database, accountId }: Context, siteId: string | null | undefined): Promise<void> {
  if (siteId === undefined || siteId === null) return;
  if ((await findSite(database, { accountId, id: siteId })) !== undefined) return;
  throw new ProblemError("site_not_found", { errors: [{ pointer: "/body/siteId", detail: "names no site" }] });
}
