import type { Logger } from "../base/log.ts";
import type { Capabilities, ImprintApi, Page } from "../client/api.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { TextStore } from "../disk/text-store.ts";
import type { Options } from "../options/schema.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import type { CollectedPosts } from "../posts/read/collected.ts";
import type { RenderMarkdown } from "../posts/render/render-markdown.ts";
import type { BuildHints } from "../site/build-hints.ts";
import type { BuiltSite } from "../site/model.ts";
import type { PinnedLogoFile } from "./brand/pinned-logos.ts";
import type { PublishedAt } from "./desired/page-addresses.ts";
import type { Lock, LockedTarget, TargetName } from "./lock.ts";
import type { EarlyLists } from "./seen.ts";
import type { StateFiles } from "./state-store.ts";
import type { State } from "./state.ts";

/** The request for a run. */
export interface RunRequest {
  /** Absolute path of the project, which contains `imprint.lock.json` and `.imprint/`. */
  readonly projectRoot: string;
  /** From `parseOptions`. */
  readonly options: Options;
  /**
   * Name of a preview, such as `pr-12` or a branch: the pages are published beside the live site, under slugs with its
   * name. Default: the live site.
   */
  readonly preview?: string | undefined;
  /** `posts`: only the posts, without a built site. Default: the whole site. */
  readonly only?: "posts" | undefined;
  /** Whether the folder of the posts may be missing; the project then has none. Default: false. */
  readonly mayLackPosts?: boolean;
  /**
   * Slug or route of the only page to publish, with its files; everything else remains unchanged. Default: all pages.
   */
  readonly page?: string | undefined;
  /** Only plan, without sending writes or changing files. Default: false. */
  readonly dryRun?: boolean;
  /** What Astro knows about the build beyond the files. */
  readonly hints?: BuildHints;
  /** The site's own Markdown renderer. Default: Astro's with its default settings. */
  readonly markdown?: RenderMarkdown;
  /** The posts of a content collection as rendered by the build. Default: the Markdown files of `posts.folder`. */
  readonly collected?: CollectedPosts | undefined;
  /** Ends the run between two requests: requests in progress are finished, then `ABORTED` is thrown. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Called with the current step of the run before it sends anything. */
  readonly onStep?: OnStep;
}

/** The project's memory of the target. */
export interface RunMemory {
  readonly files: StateFiles;
  /** Identifies the target in the lock file. */
  readonly name: TargetName;
  readonly lock: Lock;
  /** The target's entry in the lock file; `undefined` for previews and unknown targets. */
  readonly locked: LockedTarget | undefined;
  readonly state: State;
  /** ID for the project if it has none. */
  readonly freshProject: string;
}

/** A run that has read the built site and the project's memory, and is connected to the service. */
export interface Run {
  readonly request: RunRequest & Required<Pick<RunRequest, "logger" | "onStep" | "dryRun">>;
  /** `undefined` in a run of posts only. */
  readonly built: BuiltSite | undefined;
  readonly pinnedLogos: readonly PinnedLogoFile[];
  readonly target: PublishedAt;
  readonly memory: RunMemory;
  readonly api: ImprintApi;
  readonly early?: EarlyLists | undefined;
  /** The pages that the service lists, if it doesn't report its account. */
  readonly listedPages?: readonly Page[];
  /** Whether the service has the project's pages, and its list shows none of them yet. */
  readonly areListsLate?: boolean;
  /** What the service can do, within the user's own limits. */
  readonly capabilities: Capabilities;
  /** What the client and the check of the first page learned about the host. */
  readonly dialect: Dialect;
  readonly posts: PostsPort;
  /** Stores the HTML of pages during the run. */
  readonly texts: TextStore;
  /** Returns the number of requests sent so far. */
  readonly requests: () => { readonly total: number; readonly writes: number };
}

/** A step of a run before it sends anything and while it verifies what it sent, for progress messages. */
export interface Step {
  readonly kind:
    | "read"
    | "pages"
    | "posts"
    | "brand-kit"
    | "service"
    | "images"
    | "release"
    | "readers"
    | "verify"
    | "browser";
  /** Progress, if it can be counted. */
  readonly count?: { readonly done: number; readonly total: number };
}

export type OnStep = (step: Step) => void;

const WORDS: Readonly<Record<Step["kind"], string>> = {
  read: "Reading the built site",
  pages: "Preparing pages",
  posts: "Reading the posts",
  "brand-kit": "Looking for colors, fonts and logos",
  service: "Reading what is on the service",
  images: "Optimizing images",
  release: "Sending pages",
  readers: "Waiting until readers see the pages",
  verify: "Verifying",
  browser: "Opening pages in a browser",
};

/** Describes a step: `Optimizing images, 12 of 198`. */
export function describeStep({ kind, count }: Step): string {
  return count === undefined ? WORDS[kind] : `${WORDS[kind]}, ${count.done} of ${count.total}`;
}
