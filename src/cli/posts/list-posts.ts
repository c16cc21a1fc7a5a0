import { syncPosts } from "./sync-posts.ts";
import { isSamePost } from "../../posts/identity/identity.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "./open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { paintFor } from "../terminal.ts";
import { formatJson } from "../print.ts";

/** `imprint posts list`: what the blog has, and which files it came from. */
export async function postsListCommand(flags: PostsFlags, context: CliContext): Promise<ExitCode> {
  const run = await withPostsTarget({ flags, context }, (request) => syncPosts({ ...request, dryRun: true }));
  const { posts } = run.known;
  const entries = [...(posts?.ledger.entries ?? [])];
  const rows = (posts?.posts ?? []).map(({ record }) => {
    const own = entries.find(([slug, entry]) => isSamePost(record, { slug, entry }));
    const { id, slug, title, url, status } = record;
    return { id, slug, title, url, status, file: own?.[1].file };
  });
  const { out, environment } = context;
  const paint = paintFor(out, environment);
  if (flags.json === true) {
    out.write(formatJson({ version: 1, posts: rows }));
    return 0;
  }
  for (const { slug, title, status, url, id, file } of rows) {
    const hidden = status === undefined || status === "published" ? "" : paint("warn", ` (${status})`);
    out.write(`${paint("strong", slug ?? id ?? "?")}  ${title ?? ""}${hidden}\n`);
    for (const line of [url, file ?? "no file here"]) if (line !== undefined) out.write(`    ${paint("dim", line)}\n`);
  }
  const { completeness } = posts ?? {};
  const doubt = completeness === undefined || completeness.kind === "proven" ? "" : ` (${completeness.reason})`;
  out.write(`${rows.length} posts${doubt}\n`);
  return 0;
}
