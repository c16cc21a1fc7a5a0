import type { Finding } from "./judge.ts";
import type { FileReference, FileUse, LinkReference } from "./read-page.ts";
import type { Shown } from "./fetch-public.ts";
import type { LivePage, LivePost } from "./verify-addresses.ts";

/** An address that is verified, with all that it is used for. It grows while pages are read. */
export interface Address {
  readonly href: string;
  readonly page: LivePage | undefined;
  readonly post: LivePost | undefined;
  /** How pages and stylesheets use it as a file. */
  readonly uses: Set<FileUse>;
  /** Slugs of the pages and addresses of the stylesheets that load it. */
  readonly users: Set<string>;
  /** Slugs of the pages that link to it, by anchor; without one by the empty text. */
  readonly links: Map<string, Set<string>>;
  /** Whether every link to it is a form that sends data. */
  readonly isPost: boolean;
  /** What was found there; `undefined`: not visited yet. */
  readonly state: Visited | undefined;
}

export interface Visited {
  readonly shown: Shown;
  /** What is wrong with the page or post itself. */
  readonly problem: Finding | undefined;
  /** `undefined` where the address shows no page, or nobody asked for its anchors. */
  readonly anchors: ReadonlySet<string> | undefined;
  /** Whether it shows a page whose anchors nobody asked for. */
  readonly isUnread: boolean;
  readonly shape: string | undefined;
}

export interface AddressBook {
  addPage(page: LivePage): void;
  addPost(post: LivePost): void;
  addFile(file: FileReference, user: string): void;
  addLink(link: LinkReference, slug: string): void;
  /** Notes what was found; `undefined`: it is to be visited again. */
  settle(address: Address, state: Visited | undefined): void;
  all(): readonly Address[];
  unvisited(): readonly Address[];
  progress(): { readonly done: number; readonly total: number };
  /** Slugs of the pages behind users, also of those that load a stylesheet which names the file, in the order of the site. */
  pagesOf(users: ReadonlySet<string>): readonly string[];
}

type MutableAddress = { -readonly [Key in keyof Address]: Address[Key] };

/** Keeps every address once, however many pages name it. */
export function createAddressBook(): AddressBook {
  const addresses = new Map<string, MutableAddress>();
  const order = new Map<string, number>();
  let done = 0;

  function settle({ href }: Address, state: Visited | undefined): void {
    const address = open(href);
    done += Number(state !== undefined) - Number(address.state !== undefined);
    address.state = state;
  }

  function open(address: string): MutableAddress {
    const href = new URL(address).href;
    const known = addresses.get(href);
    if (known !== undefined) return known;
    const roles = { page: undefined, post: undefined, uses: new Set<FileUse>(), users: new Set<string>() };
    const added: MutableAddress = { href, ...roles, links: new Map(), isPost: true, state: undefined };
    addresses.set(href, added);
    return added;
  }

  function collectPages(users: ReadonlySet<string>, seen: Set<string>): void {
    for (const user of users) {
      if (seen.has(user)) continue;
      seen.add(user);
      collectPages(addresses.get(user)?.users ?? new Set(), seen);
    }
  }

  return {
    addPage(page) {
      open(page.address).page = page;
      order.set(page.desired.slug, order.size);
    },
    addPost(post) {
      open(post.address).post = post;
      order.set(post.slug, order.size);
    },
    addFile({ address, use }, user) {
      const file = open(address);
      file.uses.add(use);
      file.users.add(user);
    },
    addLink({ address, anchor = "", isPost }, slug) {
      const link = open(address);
      link.isPost &&= isPost;
      const users = link.links.get(anchor) ?? new Set();
      link.links.set(anchor, users.add(slug));
      if (anchor !== "" && link.state?.isUnread === true) settle(link, undefined);
    },
    settle,
    all: () => [...addresses.values()],
    unvisited: () => [...addresses.values()].filter(({ state }) => state === undefined),
    progress: () => ({ done, total: addresses.size }),
    pagesOf(users) {
      const seen = new Set<string>();
      collectPages(users, seen);
      const placeOf = (slug: string) => order.get(slug) ?? order.size;
      return [...seen].filter((user) => order.has(user)).toSorted((one, other) => placeOf(one) - placeOf(other));
    },
  };
}
