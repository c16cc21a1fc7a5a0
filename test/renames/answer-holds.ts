// An editor's decision about a post on hold: the editor knows which post it is.

import type { Tree } from "./desk.ts";
import { entriesOf, pathOf } from "./judge.ts";
import type { Sighting } from "./ledger.ts";
import type { Entry, PublisherRun } from "./report.ts";

export interface Answer {
  readonly file: string;
  readonly argv: readonly string[];
}

interface Hold {
  readonly run: PublisherRun;
  readonly tree: Tree;
  readonly own: readonly Sighting[];
  slugsOf(identity: number): readonly string[];
}

const COMMAND = /\bposts (?:rename|new-post)\b/;

/** Whether an entry asks which post the file belongs to. */
export function isHeld({ text }: Entry): boolean {
  return COMMAND.test(text);
}

export function answerHolds({ run, tree, own, slugsOf }: Hold): readonly Answer[] {
  return [...tree.values()].flatMap((post): readonly Answer[] => {
    const path = pathOf(post.file);
    // An entry about another file may mention this one.
    const entries = entriesOf(run, post.file).filter((entry) => isHeld(entry) && (entry.file ?? path) === path);
    const slug = run.slugs.get(path) ?? entries.find((entry) => entry.slug)?.slug;
    if (entries.length === 0 || slug === undefined) return [];
    const published = own.find(({ version }) => version?.identity === post.identity);
    if (published === undefined) return [{ file: post.file, argv: ["posts", "new-post", slug] }];
    return [{ file: post.file, argv: ["posts", "rename", oldName(), slug] }];

    // The name in the report; the editor can see the ID of any post in the dashboard.
    function oldName(): string {
      const { id, slug } = published?.post ?? { id: "", slug: "" };
      const named = entries.flatMap(({ text }) =>
        [...text.matchAll(/\bposts rename ([^\s`·]+)/g)].map(([, old]) => old),
      );
      return named.find((old) => old !== undefined && [id, slug, ...slugsOf(post.identity)].includes(old)) ?? id;
    }
  });
}
