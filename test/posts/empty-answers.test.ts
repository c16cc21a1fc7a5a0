import { expect, it, onTestFinished } from "vitest";
import { createWorld, emptyDisk, localPost, runOnce } from "../posts-world/world.ts";

const QUARTER_HOUR_MS = 900_000;

it("a post that the service answers without naming it and doesn't list isn't remembered as published", async () => {
  const quirks = { idempotencyKeys: "ignored", postHtml: "kept" } as const;
  const world = await createWorld({ quirks, strangers: 3 });
  onTestFinished(() => world.close());
  const disk = emptyDisk();
  const posts = [localPost("alpha"), localPost("beta")];
  world.setFaults({ rules: [{ operation: "posts.create", count: 1, fault: { kind: "status", status: 204 } }] });
  const startedAt = world.clock.now().getTime();
  const { outcomes } = await runOnce(world, { disk, posts });
  expect(outcomes.find(({ name }) => name === "alpha")).toMatchObject({
    status: "failed",
    error: {
      code: "POST_UNCERTAIN",
      message:
        "posts/alpha.md was accepted, but the response doesn't identify the post, and the service's list doesn't show the post.",
    },
  });
  expect(world.clock.now().getTime() - startedAt).toBeLessThan(100_000);
  world.clock.advance(QUARTER_HOUR_MS);
  expect(await runOnce(world, { disk, posts })).toMatchObject({ end: "done" });
  const titles = (await world.everything()).map(({ title }) => title);
  expect(titles.filter((title) => title.startsWith("About")).toSorted()).toEqual(["About alpha", "About beta"]);
});
