import type { Command } from "commander";
import type { CliContext, ExitCode } from "./context.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";

interface Setup {
  readonly context: CliContext;
  readonly onExit: (code: ExitCode) => void;
}

/** Flags of the posts commands beside those that name the service. */
export interface PostsFlags extends PublishFlags {
  readonly github?: boolean;
  readonly dryRun?: boolean;
  readonly probeUpsert?: boolean;
  readonly yes?: boolean;
  readonly watch?: boolean;
  readonly port?: string;
  readonly days?: string;
}

/** What a command about one post gets. */
export interface SlugArguments {
  readonly slug: string;
  readonly flags: PostsFlags;
}

/** Adds `imprint posts …`: markdown posts without a build. */
export function addPosts(program: Command, setup: Setup): void {
  const posts = program.command("posts").description("Work with markdown posts, without a build.");
  addRuns(posts, setup);
  addQuestions(posts, setup);
  addPreview(posts, setup);
  addDecisions(posts, setup);
}

function withWatchFlags(command: Command): Command {
  return command
    .option("--watch", "show the posts in a browser and report again after every change; never sends anything")
    .option("--port <number>", "port of the preview (default: any free one)");
}

function addRuns(posts: Command, { context, onExit }: Setup): void {
  const plan = posts.command("plan").description("Show what would change for each post, without sending anything.");
  withTargetFlags(withWatchFlags(plan)).action(async (flags: PostsFlags) => {
    const { postsSyncCommand } = await import("./posts/sync-command.ts");
    onExit(await postsSyncCommand({ ...flags, dryRun: true }, context));
  });

  const sync = posts
    .command("sync")
    .description("Publish new posts to the blog, and edits where the service takes them.")
    .option("--dry-run", "show what would be sent and send nothing")
    .option("--strict", "fail on posts that can't be synced")
    .option("--probe-upsert", "send one edited post again, to learn whether the service changes it; needs --yes")
    .option("--yes", "confirm what a flag warns about");
  withTargetFlags(withWatchFlags(sync)).action(async (flags: PostsFlags) => {
    const { postsSyncCommand } = await import("./posts/sync-command.ts");
    onExit(await postsSyncCommand(flags, context));
  });
}

function addQuestions(posts: Command, { context, onExit }: Setup): void {
  const check = posts
    .command("check")
    .description("Report every problem in post files with its location. Doesn't need a service.");
  withWatchFlags(check)
    .option("--root <folder>", "folder of the project (default: the current folder)")
    .option("--github", "print annotations for GitHub (default: when GITHUB_ACTIONS is set)")
    .option("--strict", "fail on warnings")
    .option("--json", "print the problems as JSON")
    .action(async (flags: PostsFlags) => {
      const { postsCheckCommand } = await import("./posts/check-posts.ts");
      onExit(await postsCheckCommand(flags, context));
    });

  const list = posts.command("list").description("List the posts of the blog, and which of them are yours.");
  withTargetFlags(list).action(async (flags: PostsFlags) => {
    const { postsListCommand } = await import("./posts/list-posts.ts");
    onExit(await postsListCommand(flags, context));
  });

  const pull = posts
    .command("pull")
    .description("Write markdown files for posts of the blog that have none here. Files that are there stay.")
    .argument("[slug...]", "only these posts (default: all)");
  withTargetFlags(pull).action(async (slugs: readonly string[], flags: PostsFlags) => {
    const { postsPullCommand } = await import("./posts/pull-posts.ts");
    onExit(await postsPullCommand({ slugs, flags }, context));
  });

  posts
    .command("html")
    .description("Print the HTML of a post, to paste it into the service's dashboard.")
    .argument("<slug>", "slug of the post")
    .option("--root <folder>", "folder of the project (default: the current folder)")
    .action(async (slug: string, flags: PostsFlags) => {
      const { postsHtmlCommand } = await import("./posts/html.ts");
      onExit(await postsHtmlCommand({ slug, flags }, context));
    });
}

function addPreview(posts: Command, { context, onExit }: Setup): void {
  const preview = posts
    .command("preview")
    .description(
      "Create a link that shows a draft or a scheduled post to a colleague. The blog's readers don't see it.",
    )
    .argument("<slug>", "slug of the post")
    .option("--days <number>", "days until the link expires, 1 to 30 (default: 7)");
  withTargetFlags(preview).action(async (slug: string, flags: PostsFlags) => {
    const { postsPreviewCommand } = await import("./posts/share-draft.ts");
    onExit(await postsPreviewCommand({ slug, flags }, context));
  });
}

function addDecisions(posts: Command, { context, onExit }: Setup): void {
  const ack = posts
    .command("ack")
    .description("Mark a post as up to date after editing it on the service.")
    .argument("<slug>", "slug of the post");
  withTargetFlags(ack).action(async (slug: string, flags: PostsFlags) => {
    const { postsAckCommand } = await import("./posts/decisions.ts");
    onExit(await postsAckCommand({ slug, flags }, context));
  });

  const restore = posts
    .command("restore")
    .description("Republish a post that was deleted on the service.")
    .argument("<slug>", "slug of the post");
  withTargetFlags(restore).action(async (slug: string, flags: PostsFlags) => {
    const { postsRestoreCommand } = await import("./posts/decisions.ts");
    onExit(await postsRestoreCommand({ slug, flags }, context));
  });

  const rename = posts
    .command("rename")
    .description("Link a file to the published post that it was renamed from.")
    .argument("<old>", "slug under which the post was published, or its id")
    .argument("<new>", "slug of the post now");
  withTargetFlags(rename).action(async (from: string, to: string, flags: PostsFlags) => {
    const { postsRenameCommand } = await import("./posts/decisions.ts");
    onExit(await postsRenameCommand({ from, to, flags }, context));
  });

  const fresh = posts
    .command("new-post")
    .description("Publish posts as new although they resemble published ones.")
    .argument("<slug...>", "slugs of the posts");
  withTargetFlags(fresh).action(async (slugs: readonly string[], flags: PostsFlags) => {
    const { postsNewPostCommand } = await import("./posts/decisions.ts");
    onExit(await postsNewPostCommand({ slugs, flags }, context));
  });

  const again = posts
    .command("repost")
    .description("Publish an edited post once more, under another slug; the old one stays until you delete it.")
    .argument("<slug>", "slug of the post")
    .option("--yes", "confirm that the blog has both until you delete the old one");
  withTargetFlags(again).action(async (slug: string, flags: PostsFlags) => {
    const { postsRepostCommand } = await import("./posts/repost.ts");
    onExit(await postsRepostCommand({ slug, flags }, context));
  });

  posts
    .command("new")
    .description("Create a draft with the front matter that your site expects.")
    .argument("<title>", "title of the post")
    .option("--root <folder>", "folder of the project (default: the current folder)")
    .action(async (title: string, flags: PostsFlags) => {
      const { postsNewCommand } = await import("./posts/new-post.ts");
      onExit(await postsNewCommand({ title, flags }, context));
    });
}
