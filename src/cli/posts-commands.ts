import { Option } from "commander";
import { defineCommands, type CommandGroup } from "./define-commands.ts";

const POSTS = { section: "write", name: "posts", description: "Work with Markdown posts, without a build." } as const;
const SLUG = ["<slug>", "slug of the post"] as const;
const WATCH = [
  ["--watch", "show the posts in a browser and report again after every change; never sends anything"],
  new Option("--port <number>", "port of the preview, with --watch (default: any free one)").implies({ watch: true }),
] as const;
const STRICT = ["--strict", "fail on warnings, posts on hold, and posts waiting for a build"] as const;

const SYNC = defineCommands({
  ...POSTS,
  load: () => import("./posts/sync-posts.ts"),
  commands: {
    plan: {
      example: ["posts plan", "posts plan --watch"],
      description: "Show what would change for each post, without sending anything.",
      options: [STRICT, ...WATCH],
    },
    sync: {
      example: "posts sync",
      description: "Publish new posts to the blog, and edits if the service accepts them.",
      options: [
        ["--dry-run", "show what would be sent, without sending anything"],
        STRICT,
        ["--probe-upsert", "send one edited post again, to find out whether the service updates it; needs --yes"],
        ["--yes", "confirm that --probe-upsert may create the post a second time"],
        ...WATCH,
      ],
    },
  },
});

const CHECK = defineCommands({
  ...POSTS,
  load: () => import("./posts/check-posts.ts"),
  commands: {
    check: {
      example: ["posts check", "posts check --watch"],
      description: "Report every problem in post files with its location. Needs no service.",
      options: [
        ...WATCH,
        ["--github", "print annotations for GitHub (default: when GITHUB_ACTIONS is set)"],
        ["--strict", "fail on warnings"],
        ["--json", "print the problems as JSON"],
      ],
      flags: "project",
    },
  },
});

const BLOG = defineCommands({
  ...POSTS,
  load: () => import("./posts/pull-posts.ts"),
  commands: {
    list: { example: "posts list", description: "List the posts of the blog, and the files of those that are yours." },
    pull: {
      example: ["posts pull", "posts pull hello-world"],
      description: "Write Markdown files for posts in the blog that have no local file. Existing files stay.",
      arguments: [["[slug...]", "only these posts (default: all)"]],
    },
  },
});

const LOCAL = defineCommands({
  ...POSTS,
  load: () => import("./posts/local-posts.ts"),
  commands: {
    html: {
      example: "posts html hello-world",
      description: "Print the HTML of a post, to paste it into the service's dashboard.",
      arguments: [SLUG],
      flags: "project",
    },
    new: {
      example: "posts new 'On paper'",
      description: "Create a draft with the front matter that your site expects.",
      arguments: [["<title>", "title of the post"]],
      flags: "project",
    },
  },
});

const DECISIONS = defineCommands({
  ...POSTS,
  load: () => import("./posts/decisions.ts"),
  commands: {
    ack: {
      example: "posts ack hello-world",
      description: "Mark a post as up to date after editing it on the service.",
      arguments: [SLUG],
    },
    restore: {
      example: "posts restore hello-world",
      description: "Republish a post that was deleted on the service.",
      arguments: [SLUG],
      options: [["--force", "even if the service doesn't show that it was deleted"]],
    },
    rename: {
      example: "posts rename old-title new-title",
      description: "Link a file to the published post that it was renamed from.",
      arguments: [
        ["<old>", "slug under which the post was published, or its ID"],
        ["<new>", "current slug of the post"],
      ],
    },
    "new-post": {
      example: "posts new-post hello-again",
      description: "Publish posts as new although they resemble published ones.",
      arguments: [["<slug...>", "slugs of the posts"]],
    },
  },
});

const SINGLE = defineCommands({
  ...POSTS,
  load: async () => {
    const { repostCommand, previewCommand } = await import("./posts/send-one-post.ts");
    return { repost: repostCommand, preview: previewCommand };
  },
  commands: {
    repost: {
      example: "posts repost hello-world --yes",
      description: "Publish an edited post again under another slug. The old one stays until you delete it.",
      arguments: [SLUG],
      options: [["--yes", "confirm that the blog keeps both posts until you delete the old one"]],
    },
    preview: {
      example: "posts preview hello-world --days 3",
      description:
        "Create a link that shows a draft or a scheduled post to a colleague. The blog's readers don't see it.",
      arguments: [SLUG],
      options: [["--days <number>", "days until the link expires, 1 to 30 (default: 7)"]],
    },
  },
});

/** `imprint posts …`: Markdown posts without a build. */
export const POSTS_COMMANDS: readonly CommandGroup[] = [SYNC, CHECK, BLOG, LOCAL, DECISIONS, SINGLE];
