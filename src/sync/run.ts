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

/** What a run works on. */
export interface RunRequest {
  /** Absolute path of the project: `imprint.lock.json` and `.imprint/` stand there. */
  readonly projectRoot: string;
  /** From `parseOptions`. */
  readonly options: Options;
  /**
   * Name of a preview, such as `pr-12` or a branch: the pages are published beside the live site, under slugs that name
   * it. Default: the live site.
   */
  readonly preview?: string | undefined;
  /** `posts`: only the posts, without a built site. Default: the whole site. */
  readonly only?: "posts" | undefined;
  /**
   * Slug or route of the only page that is published, with its files; everything else stays as it is. Default: all
   * pages.
   */
  readonly page?: string | undefined;
  /** Only plan: no write is sent and no file is changed. Default: false. */
  readonly dryRun?: boolean;
  /** What Astro knows of the build beyond the files. */
  readonly hints?: BuildHints;
  /** The site's own markdown renderer. Default: Astro's with its default settings. */
  readonly markdown?: RenderMarkdown;
  /** The posts of a content collection as the build rendered them. Default: the markdown files of `posts.folder`. */
  readonly collected?: CollectedPosts | undefined;
  /** Ends the run between two requests: what is on the way is finished, then `ABORTED` is thrown. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Called with what the run is at, before it sends anything. */
  readonly onStep?: OnStep;
}

/** What the project remembers of the target. */
export interface RunMemory {
  readonly files: StateFiles;
  /** What the lock file calls the target. */
  readonly name: TargetName;
  readonly lock: Lock;
  /** What the lock file says of the target; `undefined` for previews and for targets that it does not know. */
  readonly locked: LockedTarget | undefined;
  readonly state: State;
  /** Id that the project takes when it has none. */
  readonly freshProject: string;
}

/** A run that has read the built site and the project's memory, and that is connected to the service. */
export interface Run {
  readonly request: RunRequest & Required<Pick<RunRequest, "logger" | "onStep" | "dryRun">>;
  /** `undefined` in a run of posts only. */
  readonly built: BuiltSite | undefined;
  readonly pinnedLogos: readonly PinnedLogoFile[];
  readonly target: PublishedAt;
  readonly memory: RunMemory;
  readonly api: ImprintApi;
  readonly early?: EarlyLists | undefined;
  /** The pages that the service lists, where it doesn't name its account. */
  readonly listedPages?: readonly Page[];
  /** What the service can do, within the user's own limits. */
  readonly capabilities: Capabilities;
  /** What was learned of the host, by the client and by looking at its first page. */
  readonly dialect: Dialect;
  readonly posts: PostsPort;
  /** Where the HTML of pages is kept while the run lasts. */
  readonly texts: TextStore;
  /** How many requests were sent so far. */
  readonly requests: () => { readonly total: number; readonly writes: number };
}

/** What a run is at before it sends anything and while it verifies what it sent, for people who wait. */
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
  /** How far it is, where that can be counted. */
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

/** A step in words: `Optimizing images, 12 of 198`. */
export function describeStep({ kind, count }: Step): string {
  return count === undefined ? WORDS[kind] : `${WORDS[kind]}, ${count.done} of ${count.total}`;
}
