import type { Counts } from "../../base/outcome.ts";
import type { SitePost } from "../post.ts";
import type { OpenIntent, PostEntry } from "../memory/ledger.ts";
import type { PostEdit } from "../identity/fingerprint.ts";
import type { RemotePost } from "../identity/identity.ts";

/** Why a post file isn't published now. */
export type HoldReason = "draft" | "scheduled" | "expired" | "unclear" | "invalid" | "needs-build";

/** Code of the warning about a post on hold. It contains the post's file in the project. */
export const ON_HOLD = "post-on-hold";

/** A post file of the project that isn't to be published or can't be read. */
export interface HeldFile {
  readonly file: string;
  readonly slug: string | undefined;
  readonly title?: string | undefined;
  readonly reason: HoldReason;
  /** When a scheduled post is due. */
  readonly publishedAt?: Date | undefined;
  /** Why an unclear post is on hold until its author clarifies it. */
  readonly doubts?: readonly HoldDoubt[] | undefined;
  /** Source hash of a post that needs a build; `undefined` if only the rendered post determines it. */
  readonly sourceHash?: string | undefined;
  /** Set if it can't be extracted from the build at hand, which is a problem unless the published post has its source. */
  readonly isUnextracted?: true;
}

/** A front matter key that may hide the post. Line and column are 1-based. */
export interface HoldDoubt {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

interface PostChangeBase {
  /** Slug of the local post; for an orphan, its former slug. */
  readonly name: string;
  /** The reason, worded to complete "ink is kept because …". */
  readonly reason: string;
  /** What the user can do about it. */
  readonly hint?: string | undefined;
  /** How much was edited, if known. */
  readonly edit?: PostEdit | undefined;
  /** Path of the Markdown file, relative to the project. */
  readonly file: string;
}

/** A local post that the blog has. */
interface Matched {
  readonly post: SitePost;
  /** `undefined` while the list doesn't show it yet. */
  readonly known: RemotePost | undefined;
  /** The entry to remember. */
  readonly entry: PostEntry;
  /** Slug under which it was remembered before, if different. */
  readonly formerSlug?: string | undefined;
}

type BlockedState =
  | "edited"
  | "foreign"
  | "duplicate"
  | "deleted-remotely"
  | "slug-changed"
  | "resembles"
  | "cannot-unpublish"
  | "unresolved"
  | "file-lost"
  | "link-lost"
  | "blocked";

/** The planned change of one post. */
export type PostChange =
  | (PostChangeBase & {
      readonly kind: "create";
      readonly state: "create";
      readonly post: SitePost;
      /** An earlier creation that got no response and certainly didn't happen. */
      readonly absent: OpenIntent | undefined;
      /** Slugs of posts that it links to but that are created after it because they link back. */
      readonly linksAhead?: readonly string[];
    })
  | (PostChangeBase &
      Omit<Matched, "post"> & {
        readonly kind: "keep";
        /** `undefined` for a post that isn't to be published now. */
        readonly post?: SitePost;
        readonly state: "adopt" | "unchanged" | "renamed" | "changed-remotely";
      })
  | (PostChangeBase &
      Matched & {
        readonly kind: "update";
        readonly state: "edited";
        readonly known: RemotePost;
        /** `post`: by sending it again under its slug, which is known to update it. */
        readonly by: "patch" | "post";
      })
  /** Published before, and now a draft: the service unpublishes it. */
  | (PostChangeBase & {
      readonly kind: "update";
      readonly state: "withdrawn";
      readonly known: RemotePost;
      readonly entry: PostEntry;
    })
  /** New, and not yet unchanged for the required time. */
  | (PostChangeBase & { readonly kind: "wait"; readonly state: "settling"; readonly until: Date })
  /** New or edited, and only a site build can render it. */
  | (PostChangeBase & { readonly kind: "wait"; readonly state: "needs-build" })
  | (PostChangeBase & {
      readonly kind: "orphan";
      readonly state: "orphan";
      readonly url: string | undefined;
      /** The entry of a post that this project published and that has no file here. */
      readonly found?: PostEntry | undefined;
    })
  | (PostChangeBase & {
      readonly kind: "delete";
      readonly state: "orphan";
      readonly known: RemotePost;
      readonly entry: PostEntry;
    })
  | (PostChangeBase & {
      readonly kind: "blocked";
      readonly state: BlockedState;
      readonly counts?: Counts;
      /** Addresses or ids of the conflicting posts on the service. */
      readonly places: readonly string[];
      /** Whether the author has to make the edit on the service, and nothing else. */
      readonly isByHand?: boolean;
      /** The title of an edited post, if the service shows another one. */
      readonly title?: string;
      /** Slugs of the published posts that a post on hold may be. The hold persists through later edits. */
      readonly formers?: readonly string[];
      /** The entry for an edit that the service can't apply. */
      readonly seen?: Pick<Matched, "entry" | "formerSlug">;
    });
