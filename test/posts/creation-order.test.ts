import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { PostChange } from "../../src/posts/plan/changes.ts";
import { orderCreations } from "../../src/posts/plan/creation-order.ts";
import { localPost } from "./local-post.ts";

function creation(slug: string, links: readonly string[]): PostChange {
  const html = links.map((each) => `<a href="imprint-post:${each}">${each}</a>`).join(" ");
  const post = localPost(slug, { html });
  return { kind: "create", state: "create", name: slug, file: post.file, reason: "new", post, absent: undefined };
}

function namesOf(changes: readonly PostChange[]): readonly string[] {
  return changes.map(({ name }) => name);
}

it("keeps the order of posts that don't link to each other", () => {
  const changes = [creation("a", []), creation("b", []), creation("c", [])];
  expect(namesOf(orderCreations(changes))).toEqual(["a", "b", "c"]);
});

it("puts link targets first", () => {
  const changes = [creation("a", ["c"]), creation("b", []), creation("c", ["d"]), creation("d", [])];
  expect(namesOf(orderCreations(changes))).toEqual(["d", "c", "a", "b"]);
});

it("orders a chain of 10,000 posts in which each links to the next", () => {
  const changes = Array.from({ length: 10_000 }, (_, index) => creation(`post-${index}`, [`post-${index + 1}`]));
  expect(namesOf(orderCreations(changes)).at(0)).toBe("post-9999");
});

it("reports which post of a cycle is sent before one that it links to", () => {
  const [first, second] = orderCreations([creation("a", ["b"]), creation("b", ["a"])]);
  expect(first).toMatchObject({ name: "b", linksAhead: ["a"] });
  expect(second).not.toHaveProperty("linksAhead");
});

it("loses no post and reports every link to a later post, whatever the links", () => {
  const slugs = ["a", "b", "c", "d", "e"];
  const graph = fc.array(fc.subarray(slugs), { minLength: slugs.length, maxLength: slugs.length });
  fc.assert(
    fc.property(graph, (links) => {
      const ordered = orderCreations(slugs.map((slug, index) => creation(slug, links[index] ?? [])));
      const names = namesOf(ordered);
      expect(names.toSorted()).toEqual(slugs);
      for (const [index, change] of ordered.entries()) {
        const linked = links[slugs.indexOf(change.name)] ?? [];
        const later = linked.filter((slug) => slug !== change.name && names.indexOf(slug) > index);
        const ahead = change.kind === "create" ? (change.linksAhead ?? []) : [];
        expect(new Set(ahead)).toEqual(new Set(later));
      }
    }),
  );
});
