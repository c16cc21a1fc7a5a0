import type { Counts } from "../../base/outcome.ts";
import type { SitePost } from "../post.ts";
import type { OpenIntent, PostEntry } from "../memory/ledger.ts";
import type { PostEdit } from "../identity/fingerprint.ts";
import type { RemotePost } from "../identity/identity.ts";

/** Why a post file is not published now. */
export type HoldReason = "draft" | "scheduled" | "expired" | "unclear" | "invalid" | "needs-build";

/** Code of the warning that says why a post is on hold. It names the post's file in the project. */
export const ON_HOLD = "post-on-hold";

/** A post file of the project that is not to be published, or can't be read. */
export interface HeldFile {
  readonly file: string;
  readonly slug: string | undefined;
  readonly title?: string | undefined;
  readonly reason: HoldReason;
  /** When a scheduled post is due. */
  readonly publishedAt?: Date | undefined;
  /** What keeps an unclear post on hold until its author says what it means. */
  readonly doubts?: readonly HoldDoubt[] | undefined;
  /** Source hash of a post that needs a build; `undefined` where only the rendered post shows it. */
  readonly sourceHash?: string | undefined;
}

/** A key of front matter that may hide the post; line and column count from 1. */
export interface HoldDoubt {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

interface PostChangeBase {
  /** Slug of the local post; of an orphan, the slug it had. */
  readonly name: string;
  /** Why, in words that finish the sentence "ink is kept because …". */
  readonly reason: string;
  /** What the reader can do about it. */
  readonly hint?: string | undefined;
  /** How much was edited, where that is known. */
  readonly edit?: PostEdit | undefined;
  /** Path of the markdown file, relative to the project. */
  readonly file: string;
}

/** A local post that the blog has. */
interface Matched {
  readonly post: SitePost;
  /** `undefined` while the list does not show it yet. */
  readonly known: RemotePost | undefined;
  /** What is to be remembered of it. */
  readonly entry: PostEntry;
  /** Slug under which it was remembered so far, when that was another. */
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

/** What is to be done about one post. */
export type PostChange =
  | (PostChangeBase & {
      readonly kind: "create";
      readonly state: "create";
      readonly post: SitePost;
      /** A creation of which nothing was heard, and which surely did not happen. */
      readonly absent: OpenIntent | undefined;
      /** Slugs of posts that it links to and that are created after it, because they link to it too. */
      readonly linksAhead?: readonly string[];
    })
  | (PostChangeBase &
      Omit<Matched, "post"> & {
        readonly kind: "keep";
        /** `undefined` of a post that is not to be published now. */
        readonly post?: SitePost;
        readonly state: "adopt" | "unchanged" | "renamed" | "changed-remotely";
      })
  | (PostChangeBase &
      Matched & {
        readonly kind: "update";
        readonly state: "edited";
        readonly known: RemotePost;
        /** `post`: by sending it again under its slug, which was found to change it. */
        readonly by: "patch" | "post";
      })
  /** Published before, and a draft now: the service takes it from its readers. */
  | (PostChangeBase & {
      readonly kind: "update";
      readonly state: "withdrawn";
      readonly known: RemotePost;
      readonly entry: PostEntry;
    })
  /** New, and not yet left unchanged for as long as it has to be. */
  | (PostChangeBase & { readonly kind: "wait"; readonly state: "settling"; readonly until: Date })
  /** New or edited, and only a build of the site can render it. */
  | (PostChangeBase & { readonly kind: "wait"; readonly state: "needs-build" })
  | (PostChangeBase & {
      readonly kind: "orphan";
      readonly state: "orphan";
      readonly url: string | undefined;
      /** What is to be remembered of a post that this project published and that has no file here. */
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
      /** Addresses or ids of the posts at the service that are in the way. */
      readonly places: readonly string[];
      /** Slugs of the published posts that a post on hold may be: the hold stays through later edits. */
      readonly formers?: readonly string[];
      /** What is to be remembered of an edit that the service can't take. */
      readonly seen?: Pick<Matched, "entry" | "formerSlug">;
    });
