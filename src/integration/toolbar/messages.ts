// The protocol between the toolbar of `astro dev` and the dev server. Both sides load it, so it imports nothing. As
// JSON, undefined values are absent.

/** Path of the toolbar's requests on the dev server, independent of the site's base. */
export const ENDPOINT = "/__imprint";

/** A request of the toolbar about the page at `path`. `hello` returns the token that all other requests need. */
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
  /** For `follow`: the revision of the work that the toolbar has. */
  readonly seen?: number;
}

/** A problem, and how to fix it. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
  /** Whether logging in, perhaps again, would help. */
  readonly needsLogin?: boolean;
}

/** One part of the panel: its value, or the reason why it is unknown. */
export type Part<Value> =
  | { readonly kind: "known"; readonly value: Value }
  | { readonly kind: "unknown"; readonly why: string };

export interface PageState {
  readonly route: string;
  readonly service: string;
  /** When the service last changed the page; `undefined` if it has no such page. */
  readonly published: { readonly at: string | undefined; readonly address: string | undefined } | undefined;
  /** Files of the project that are newer than the published page, and their total number. */
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
  readonly line: number | undefined;
  readonly title: string;
  readonly reason: string;
}

export interface Numbers {
  readonly days: number;
  readonly views: number;
  readonly visitors: number | undefined;
  /** Median of the scroll depth in percent; absent if nobody scrolled yet or the service doesn't report it. */
  readonly depth?: number | undefined;
  /** Clicks by element, as named by the script in published pages; absent if the service doesn't report them. */
  readonly clicks?: readonly { readonly selector: string; readonly count: number }[];
}

export interface Messages {
  readonly forms: number;
  readonly total: number;
  readonly newest: readonly { readonly at: string | undefined; readonly text: string }[];
}

export interface BrandView {
  readonly colors: readonly { readonly name: string; readonly hex: string }[];
  readonly fonts: readonly string[];
}

/** The result of a build of the site. */
export interface PlanView {
  readonly at: string;
  /** Whether files of the project have changed since the build began. */
  readonly isStale: boolean;
  readonly page: { readonly kind: string; readonly reason: string; readonly hint?: string | undefined } | undefined;
  readonly diff: string;
  readonly others: number;
  readonly warnings: readonly { readonly message: string; readonly place: string }[];
  readonly otherWarnings: number;
  readonly drift: readonly string[];
}

/** A build or a login that the dev server runs. */
export interface WorkView {
  readonly revision: number;
  readonly kind: Ask["kind"];
  readonly progress: string;
  /** For a login: the address to open; for a finished preview: its home page. */
  readonly open?: string | undefined;
  /** `incomplete`: it finished, and `progress` lists what it left out. */
  readonly outcome?: "done" | "incomplete" | "failed";
}
