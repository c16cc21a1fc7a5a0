import { basename, relative } from "node:path";
import { writeNewPost } from "../../posts/write/new-post.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "./open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";

/** `imprint posts new "Title"`: a draft that imprint publishes only when its author says so. */
export async function postsNewCommand(
  { title, flags }: { readonly title: string; readonly flags: PostsFlags },
  context: CliContext,
): Promise<ExitCode> {
  const { projectRoot: root, folder, options, logger } = await openLocalPosts(flags, context);
  const { file, open, hiddenBy } = await writeNewPost({ root, folder, title, date: new Date(), logger });
  context.out.write(`${relative(context.cwd, file)}\n`);
  // The path alone is on the output, so that it can be handed to an editor.
  if (open.length > 0) context.error.write(`Fill in: ${open.join(", ")}.\n`);
  const collection = (options.posts !== false && options.posts.collection) || basename(folder);
  context.error.write(hiddenBy === "draft" ? DRAFT : withoutDrafts({ name: basename(file), collection }));
  return 0;
}

const DRAFT = "The post is a draft. To publish it, remove the draft line from its front matter.\n";

function withoutDrafts({ name, collection }: { readonly name: string; readonly collection: string }): string {
  return `Your site has no drafts: the schema of the collection "${collection}" has no draft field.
imprint doesn't publish this file while its name begins with an underscore, neither as a post nor as a page.
\`astro build\` still makes a page of it, unless the collection's glob pattern excludes such names.
To publish it, rename it to ${name.slice(1)}.
To add drafts to your site, add \`draft: z.boolean().optional()\` to the schema in src/content.config.ts, and read posts
with \`getCollection("${collection}", ({ data }) => !data.draft)\`. New posts then begin with \`draft: true\`.
`;
}
