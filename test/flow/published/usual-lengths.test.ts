import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

it("posts new to a blog whose list has a usual length are sent once they are declared new", async () => {
  const { stranger, run, configure } = await openAtStranger(dialectA("A"));
  const { byHand, world } = stranger;
  const id = byHand.createBlog("Persons");
  for (let number = 0; number < 10; number += 1) byHand.createPost(id, `Somebody's ${number}`);
  await configure({ posts: { blog: { id } }, brandKit: false });
  const before = world.log.length;
  const said = expect.stringContaining("imprint posts new-post ink");
  for (let times = 0; times < 2; times += 1) expect(await run("posts", "sync")).toMatchObject({ code: 1, said });
  expect(writesAt(world, before).filter((write) => write.includes("posts"))).toEqual([]);
  expect(await run("posts", "new-post", "ink", "paper")).toMatchObject({ code: 0 });
  expect(await run("posts", "sync")).toMatchObject({ code: 0 });
  expect(world.posts.get(id)).toHaveLength(12);
  expect(await run("posts", "sync")).toMatchObject({ code: 0 });
  expect(world.posts.get(id)).toHaveLength(12);
});
