import { findPostPlaceholders } from "../../html/post-placeholders.ts";
import type { PostChange } from "./changes.ts";

type Create = Extract<PostChange, { kind: "create" }>;

/**
 * Puts a new post behind the new posts that it links to; else the order stays. Of posts that link to each other one
 * has to be first: it says so, since the address of the other is not known yet when it is sent.
 */
export function orderCreations(changes: readonly PostChange[]): readonly PostChange[] {
  const creations = new Map(changes.flatMap((change) => (change.kind === "create" ? [[change.name, change]] : [])));
  if (creations.size < 2) return changes;
  const begun = new Set<string>();
  const ordered = new Map<string, PostChange>();

  function place(change: Create): void {
    begun.add(change.name);
    const linked = findPostPlaceholders(change.post.html).flatMap((slug) => creations.get(slug) ?? []);
    const others = linked.filter(({ name }) => name !== change.name);
    for (const other of others) if (!begun.has(other.name)) place(other);
    const later = others.map(({ name }) => name).filter((name) => !ordered.has(name));
    ordered.set(change.name, later.length === 0 ? change : { ...change, linksAhead: later, hint: circleHint(later) });
  }

  return changes.flatMap((change) => {
    if (change.kind !== "create") return [change];
    const before = ordered.size;
    if (!begun.has(change.name)) place(change);
    return [...ordered.values()].slice(before);
  });
}

function circleHint(later: readonly string[]): string {
  const names = new Intl.ListFormat("en").format(later);
  return `It and ${names} link to each other: one of them has to be sent before the address of the other is known.`;
}
