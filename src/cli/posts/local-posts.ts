import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { fillPostPlaceholders, findPostPlaceholders } from "../../html/post-placeholders.ts";
import { findIdentity } from "../../target/target.ts";
import { writeNewPost } from "../../posts/write/new-post.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { noReadyPost, openLocalPosts, readPostsFolder } from "./open-posts.ts";

export { newDraft as new };

/** `imprint posts html <slug>`: prints the body of a post for pasting elsewhere; notes go to the error stream. */
export async function html({ args: [slug = ""], flags, context }: AccountRun): Promise<AccountResult> {
  const request = await openLocalPosts(flags, context);
  const { posts: local } = await readPostsFolder(request);
  const post = local.posts.find((each) => each.slug === slug);
  if (post === undefined) throw noReadyPost(slug);
  const files = createStateFiles(request.projectRoot, findIdentity(request.options, request) ?? "");
  const { posts = {} } = await files.readLock();
  const addressOf = (other: string) => {
    return Object.values(posts).flatMap((blog) => blog.posts[other]?.url ?? [])[0];
  };
  const { assets } = files.readState();
  for (const { name, hash } of post.assets.filter((each) => assets[each.hash] === undefined)) {
    const place = `Its address belongs in place of ${renderPlaceholder(hash)}.`;
    context.error.write(`! ${name} wasn't published from this folder. If the library lacks it, upload it. ${place}\n`);
  }
  for (const other of findPostPlaceholders(post.html).filter((each) => addressOf(each) === undefined)) {
    context.error.write(`! The link to ${other} was left out: its address in the blog is unknown.\n`);
  }
  const html = fillPlaceholders(post.html, (hash) => assets[hash]?.url ?? renderPlaceholder(hash));
  return { document: `${fillPostPlaceholders(html, addressOf).trimEnd()}\n` };
}

/** `imprint posts new "Title"`: creates a draft, which isn't published until its author releases it. */
async function newDraft({ args: [title = ""], flags, context }: AccountRun): Promise<AccountResult> {
  const { projectRoot: root, configFile, folder, options, logger } = await openLocalPosts(flags, context);
  if (configFile === undefined && !existsSync(join(root, folder))) {
    throw new ImprintError("USAGE", `${root} has neither an Astro config nor the folder ${folder}.`, {
      hint: "Run this in the folder of your site.",
    });
  }
  const { file, open, hiddenBy } = await writeNewPost({ root, folder, title, date: new Date(), logger });
  // Only the path goes to standard output, so that it can be passed to an editor.
  if (open.length > 0) context.error.write(`Fill in: ${open.join(", ")}.\n`);
  const collection = (options.posts !== false && options.posts.collection) || basename(folder);
  context.error.write(hiddenBy === "draft" ? DRAFT : withoutDrafts({ name: basename(file), collection }));
  return { document: `${relative(context.cwd, file)}\n` };
}

const DRAFT = "The post is a draft. To publish it, remove the draft line from its front matter.\n";

function withoutDrafts({ name, collection }: { readonly name: string; readonly collection: string }): string {
  return `Your site has no drafts: the schema of the collection "${collection}" has no draft field.
While its name begins with an underscore, imprint publishes this file neither as a post nor as a page.
\`astro build\` still builds a page from it, unless the collection's glob pattern excludes such names.
To publish it, rename it to ${name.slice(1)}.
To add drafts to your site, add \`draft: z.boolean().optional()\` to the schema in src/content.config.ts, and read posts
with \`getCollection("${collection}", ({ data }) => !data.draft)\`. New posts then begin with \`draft: true\`.
`;
}
