import type { PostEntry } from "../../posts/memory/ledger.ts";
import type { SitePost } from "../../posts/post.ts";
import type { DesiredPage } from "../desired.ts";
import type { Shown } from "./fetch-public.ts";
import type { Finding } from "./checks.ts";
import type { FileReference, FileUse, LinkReference } from "./read-page.ts";

/** A published post. */
export interface LivePost {
  readonly sent: SitePost;
  /** The identities in its marker, of which a renamed post has two. */
  readonly uids: ReadonlySet<string>;
  /** The title in the service's list; its own for a new post. */
  readonly listedTitle: string | undefined;
  /** How the blog got this version. Only the marker of a `confirmed` one is its own. */
  readonly state: PostEntry["state"];
}

/** A published page or post and its public address. */
export interface Live {
  readonly slug: string;
  readonly address: string;
  /** `undefined` for a post. */
  readonly desired?: DesiredPage;
  readonly post?: LivePost;
  /** The texts of a post's links: the other links of its page are the host's own. */
  readonly linkTexts?: ReadonlySet<string>;
  /** Set for a page that was deleted: the project that had published it. */
  readonly deletedFrom?: string;
}

/** An address to verify, with all of its uses, which are added while pages are read. */
export interface Address {
  readonly href: string;
  readonly live: Live | undefined;
  /** How pages and stylesheets use it as a file. */
  readonly uses: Set<FileUse>;
  /** Slugs of the pages and addresses of the stylesheets that load it. */
  readonly users: Set<string>;
  /** Slugs of the pages that link to it, by anchor; by the empty text without one. */
  readonly links: Map<string, Set<string>>;
  /** Whether every link to it is a form that sends data. */
  readonly isPost: boolean;
  /** What was found there; `undefined` if not visited yet. */
  readonly state: Visited | undefined;
}

export interface Visited {
  readonly shown: Shown;
  /** The problem of the page or post itself, or of the content of a file. */
  readonly problem: Finding | undefined;
  /** `undefined` if the address shows no page, or its anchors aren't needed. */
  readonly anchors: ReadonlySet<string> | undefined;
  /** Whether it shows a page whose anchors weren't needed. */
  readonly isUnread: boolean;
  readonly shape: string | undefined;
}

export type AddressBook = ReturnType<typeof createAddressBook>;

/** Stores every address once, however many pages use it. */
export function createAddressBook(published: readonly Live[]) {
  const addresses = new Map<string, { -readonly [Key in keyof Address]: Address[Key] }>();
  const order = new Map(published.map(({ slug }, place) => [slug, place]));
  let done = 0;
  for (const live of published) open(live.address).live ??= live;

  function open(address: string) {
    const { href } = new URL(address);
    const known = addresses.get(href);
    if (known !== undefined) return known;
    const added = {
      href,
      live: undefined,
      uses: new Set<FileUse>(),
      users: new Set<string>(),
      links: new Map<string, Set<string>>(),
      isPost: true,
      state: undefined,
    };
    addresses.set(href, added);
    return added;
  }

  /** Notes what was found; `undefined` schedules another visit. */
  function note({ href }: Address, state: Visited | undefined): void {
    const address = open(href);
    done += Number(state !== undefined) - Number(address.state !== undefined);
    address.state = state;
  }

  function collectPages(users: ReadonlySet<string>, seen: Set<string>): void {
    for (const user of users) {
      if (seen.has(user)) continue;
      seen.add(user);
      collectPages(addresses.get(user)?.users ?? new Set(), seen);
    }
  }

  return {
    addFile({ address, use }: FileReference, user: string): void {
      const file = open(address);
      file.uses.add(use);
      file.users.add(user);
    },
    addLink({ address, anchor = "", isPost }: LinkReference, slug: string): void {
      const link = open(address);
      link.isPost &&= isPost;
      const users = link.links.get(anchor) ?? new Set();
      link.links.set(anchor, users.add(slug));
      if (anchor !== "" && link.state?.isUnread === true) note(link, undefined);
    },
    note,
    all: (): readonly Address[] => [...addresses.values()],
    unvisited: (): readonly Address[] => [...addresses.values()].filter(({ state }) => state === undefined),
    progress: () => ({ done, total: addresses.size }),
    /**
     * Returns the slugs of pages among or behind the users, such as those of a stylesheet, in the order of the site.
     */
    pagesOf(users: ReadonlySet<string>): readonly string[] {
      const seen = new Set<string>();
      collectPages(users, seen);
      const placeOf = (slug: string) => order.get(slug) ?? order.size;
      return [...seen].filter((user) => order.has(user)).toSorted((one, other) => placeOf(one) - placeOf(other));
    },
  };
}

/** Returns the shape of each live page, by slug. */
export function findShapes(book: AddressBook): ReadonlyMap<string, string> {
  return new Map(
    book.all().flatMap(({ live, state }) => {
      if (live?.desired === undefined || state?.shape === undefined || state.problem !== undefined) return [];
      return [[live.slug, state.shape] as const];
    }),
  );
}

/** Returns the slugs of pages that readers aren't shown. One that can't be reached from here may well be shown. */
export function findUnshown(book: AddressBook): readonly string[] {
  return book
    .all()
    .flatMap(({ live, state }) =>
      live?.desired !== undefined && state?.problem !== undefined && state.shown.kind !== "silent" ? [live.slug] : [],
    );
}
