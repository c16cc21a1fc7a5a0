// What the toolbar of `astro dev` and the dev server say to each other. Both sides load it: it imports nothing.

/** Where the dev server takes what the toolbar asks, whatever the base of the site. */
export const ENDPOINT = "/__imprint";

/** What the toolbar asks, always about the page at `path`. `hello` gives the token that everything else has to carry. */
export interface Ask {
  readonly kind:
    | "hello"
    | "state"
    | "plan"
    | "publish-page"
    | "publish-all"
    | "preview"
    | "login"
    | "dashboard"
    | "follow";
  readonly path: string;
  readonly token?: string;
  /** Of `follow`: the revision of the work that the toolbar knows. */
  readonly seen?: number;
}

/** What stands in the way, and what to do about it. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
  /** Set when a login, or another one, would help. */
  readonly needsLogin?: true;
}

/** One part of the panel: what is known, or why nothing is. */
export type Part<Value> =
  | { readonly kind: "known"; readonly value: Value }
  | { readonly kind: "unknown"; readonly why: string };

export interface PageState {
  readonly route: string;
  readonly service: string;
  /** When the service last changed the page; `undefined`: it has no such page. */
  readonly published: { readonly at?: string; readonly address?: string } | undefined;
  /** Files of the project that are newer than the published page, and how many there are. */
  readonly newer: { readonly files: readonly string[]; readonly count: number };
  readonly plan?: PlanView;
  readonly problem?: Problem;
  readonly held: Part<readonly HeldView[]>;
  readonly numbers: Part<Numbers>;
  readonly messages: Part<Messages>;
  readonly brand: Part<BrandView>;
}

export interface HeldView {
  readonly file: string;
  readonly line?: number;
  readonly title: string;
  readonly reason: string;
}

export interface Numbers {
  readonly days: number;
  readonly views: number;
  readonly visitors?: number;
  /** Median of the scroll depth in per cent; absent: nobody scrolled yet, or the service doesn't say. */
  readonly depth?: number;
  /** Clicks by element, as the script in published pages names it; absent: the service doesn't say. */
  readonly clicks?: readonly { readonly selector: string; readonly count: number }[];
}

export interface Messages {
  readonly forms: number;
  readonly total: number;
  readonly newest: readonly { readonly at?: string; readonly text: string }[];
}

export interface BrandView {
  readonly colors: readonly { readonly name: string; readonly hex: string }[];
  readonly fonts: readonly string[];
}

/** What a build of the site showed. */
export interface PlanView {
  readonly at: string;
  /** Whether files of the project were changed after the build began. */
  readonly isStale: boolean;
  readonly page: { readonly kind: string; readonly reason: string; readonly hint?: string } | undefined;
  readonly diff: string;
  readonly others: number;
  readonly warnings: readonly { readonly message: string; readonly place: string }[];
  readonly otherWarnings: number;
  readonly drift: readonly string[];
}

/** A build, or a login, that the dev server runs. */
export interface WorkView {
  readonly revision: number;
  readonly kind: Ask["kind"];
  readonly progress: string;
  /** Of a login: the address that a person has to open; of a preview that is done: its home page. */
  readonly open?: string;
  readonly outcome?: "done" | "failed";
}
