import { SLUG_PATTERN } from "./slug.ts";

export interface PathParameter {
  readonly description: string;
  readonly example: string;
  readonly pattern?: string;
}

const SLUG = { description: "Slug of the page.", example: "about", pattern: SLUG_PATTERN.source } as const;
const BLOG = { description: "ID or slug of the blog.", example: "journal" } as const;
const PAGE = { description: "Slug or ID of the page.", example: "about" } as const;

const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  assetId: { description: "ID of the library file.", example: "as_5gB1kzTtGJX8wq0LrS7u2N" },
  blogId: BLOG,
  domain: { description: "Domain name, or its ID.", example: "www.example.org" },
  kitId: { description: "ID of the brand kit.", example: "bk_1cVh5x8Zr3KpWqL0sN4tYd" },
  page: PAGE,
  pageSlug: SLUG,
  siteId: { description: "ID of the site.", example: "st_0pXk4mWn7QbT2yRv9cLd3H" },
  slug: SLUG,
  submissionId: { description: "ID of the submission.", example: "sb_6tYd1cVh5x8Zr3KpWqL0sN" },
};

// Route set B and the extensions call every record `:id`.
const IDS: Readonly<Record<string, PathParameter>> = {
  sites: { description: "ID of the site.", example: "st_0pXk4mWn7QbT2yRv9cLd3H" },
  posts: BLOG,
  analytics: PAGE,
  submissions: { description: "ID of the form, or slug of its page.", example: "contact" },
  domains: { description: "ID of the domain, or its name.", example: "www.example.org" },
  keys: { description: "ID of the API key.", example: "key_4wq0LrS7u2N5gB1kzTtGJX" },
  users: { description: "ID of the user.", example: "usr_2N5gB1kzTtGJX8wq0LrS7u" },
  webhooks: { description: "ID of the webhook.", example: "wh_7QbT2yRv9cLd3H0pXk4mWn" },
  releases: { description: "ID of the release.", example: "rel_3vQq0VYhYtYH4pJ9wQ2m1A" },
  "deliveries.list": { description: "ID of the webhook.", example: "wh_7QbT2yRv9cLd3H0pXk4mWn" },
  "deliveries.retry": { description: "ID of the delivery.", example: "msg_8Zr3KpWqL0sN4tYd1cVh5x" },
};

export function describePathParameter(operation: string, name: string): PathParameter {
  const resource = operation.split(".", 1)[0] ?? "";
  if (name === "slug" && (resource === "posts" || resource === "previewLinks")) {
    return { ...SLUG, description: "Slug of the post.", example: "first-light" };
  }
  const found = PARAMETERS[name] ?? IDS[operation] ?? IDS[resource];
  if (found === undefined) throw new Error(`${operation} has a parameter "${name}" that nothing describes.`);
  return found;
}
