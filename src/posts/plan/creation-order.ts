import { listNames } from "../../base/list-names.ts";
import { findPostPlaceholders } from "../../html/post-placeholders.ts";
import type { PostLedger } from "../memory/ledger.ts";
import { waitForPosts } from "./block-post.ts";
import type { PostChange } from "./changes.ts";

type Create = Extract<PostChange, { kind: "create" }>;

/**
 * Makes new and edited posts wait for those that they link to and that the blog won't have: readers would get no link,
 * and most services can't change it afterwards.
 */
export function holdLinkers(
  changes: readonly PostChange[],
  { entries }: Pick<PostLedger, "entries">,
): readonly PostChange[] {
  const bySlug = new Map<string, PostChange>(
    changes.flatMap((change) => (change.kind === "orphan" || change.kind === "delete" ? [] : [[change.name, change]])),
  );
  const linkers = changes.flatMap((change) => {
    if (change.kind !== "create" && !(change.kind === "update" && change.state === "edited")) return [];
    return [{ change, slugs: findPostPlaceholders(change.post.html).filter((slug) => slug !== change.name) }];
  });
  const linkersOf = Map.groupBy(
    linkers.flatMap((linker) => linker.slugs.map((slug) => ({ slug, linker }))),
    ({ slug }) => slug,
  );
  const held = new Map<PostChange, PostChange>();
  const queue = [...linkers];
  for (const { change, slugs } of queue) {
    const missing = slugs.filter((slug) => !willHaveAddress(bySlug.get(slug), entries.has(slug)));
    if (missing.length === 0) continue;
    // What links to a new post that waits waits, too.
    if (change.kind === "create" && !held.has(change)) {
      queue.push(...(linkersOf.get(change.name) ?? []).map(({ linker }) => linker));
    }
    const seen = change.kind === "update" ? { entry: change.entry, formerSlug: change.formerSlug } : undefined;
    const waits = waitForPosts(change.post, missing, seen);
    held.set(change, waits);
    bySlug.set(change.name, waits);
  }
  return changes.map((change) => held.get(change) ?? change);
}

function willHaveAddress(change: PostChange | undefined, isRemembered: boolean): boolean {
  switch (change?.kind) {
    case "create":
    case "keep":
    case "update":
      return true;
    case "blocked":
      if (change.seen !== undefined || change.state === "edited" || change.state === "duplicate") return true;
      return change.state === "blocked" && isRemembered;
    default:
      return isRemembered;
  }
}

/** A new post whose links are being followed. */
interface Begun {
  readonly change: Create;
  /** The new posts that it links to. */
  readonly others: readonly Create[];
}

/**
 * Orders each new post after the new posts that it links to; the order is otherwise kept. If posts link to each other,
 * one must come first; it gets a hint, since the other's address isn't known when it is sent.
 */
export function orderCreations(changes: readonly PostChange[]): readonly PostChange[] {
  const creations = new Map(changes.flatMap((change) => (change.kind === "create" ? [[change.name, change]] : [])));
  if (creations.size < 2) return changes;
  const begun = new Set<string>();
  const ordered = new Map<string, PostChange>();

  function begin(change: Create): Begun {
    begun.add(change.name);
    const linked = findPostPlaceholders(change.post.html).flatMap((slug) => creations.get(slug) ?? []);
    const others = linked.filter(({ name }) => name !== change.name);
    return { change, others };
  }

  function finish({ change, others }: Begun): void {
    const later = others.map(({ name }) => name).filter((name) => !ordered.has(name));
    ordered.set(change.name, later.length === 0 ? change : { ...change, linksAhead: later, hint: circleHint(later) });
  }

  // Not recursive: a chain of posts that each link to the next may exceed the call stack.
  function place(first: Create): void {
    const stack = [begin(first)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.others.find(({ name }) => !begun.has(name));
      if (next !== undefined) stack.push(begin(next));
      else finish(stack.pop() ?? top);
    }
  }

  return changes.flatMap((change) => {
    if (change.kind !== "create") return [change];
    const before = ordered.size;
    if (!begun.has(change.name)) place(change);
    return [...ordered.values()].slice(before);
  });
}

function circleHint(later: readonly string[]): string {
  const names = listNames(later);
  return `It and ${names} link to each other: one of them must be sent before the other's address is known.`;
}
