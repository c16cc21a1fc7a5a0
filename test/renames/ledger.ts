// Maps the host's posts to the editor's, by every version that the editor had at any run.

import { isReady, type Tree } from "./desk.ts";
import { lettersOf, lettersOfHtml, type HostPost } from "./hosts.ts";

interface Version {
  readonly identity: number;
  readonly title: string;
  readonly body: string;
  /** Whether it was ever ready to publish. */
  readonly wasReady: boolean;
}

/** A post on the host, and its identity. */
export interface Sighting {
  readonly post: HostPost;
  /** `undefined` for posts of others. */
  readonly version: Version | undefined;
  /** Whether it was recognized by its text, not only by its title. */
  readonly isText: boolean;
}

export interface Ledger {
  /** Records the content of the files at a run. */
  note(tree: Tree): void;
  identify(posts: readonly HostPost[]): readonly Sighting[];
}

export function createLedger(foreign: readonly HostPost[]): Ledger {
  const byHand = new Set(foreign.map(({ id }) => id));
  const versions = new Map<string, Version>();
  return {
    note(tree) {
      for (const post of tree.values()) {
        const [title, body] = [lettersOf(post.title), lettersOf(post.body.join(" "))];
        const key = `${post.identity} ${title} ${body}`;
        const wasReady = isReady(post) || versions.get(key)?.wasReady === true;
        versions.set(key, { identity: post.identity, title, body, wasReady });
      }
    },
    identify(posts) {
      const known = [...versions.values()].toReversed();
      return posts.flatMap((post): readonly Sighting[] => {
        if (byHand.has(post.id)) return [];
        const [title, text] = [lettersOf(post.title), lettersOfHtml(post.html)];
        const ofText = known.filter(({ body }) => text.includes(body));
        const version =
          ofText.find((own) => own.title === title) ?? ofText[0] ?? known.find((own) => own.title === title);
        return [{ post, version, isText: ofText.length > 0 }];
      });
    },
  };
}

/** Whether readers see exactly this title and text. */
export function isShown({ post }: Sighting, title: string, body: readonly string[]): boolean {
  const isText = lettersOfHtml(post.html).includes(lettersOf(body.join(" ")));
  return post.isVisible && lettersOf(post.title) === lettersOf(title) && isText;
}
