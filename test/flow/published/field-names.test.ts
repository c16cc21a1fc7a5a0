import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy, writesAt } from "./project.ts";

it.each([
  dialectA("A whose ids are `_id`, as with Mongoose", { keys: "mongo" }),
  dialectA("A whose fields are `Slug`, `ID`, and `URL`, as with Go's structs", {
    keys: "Pascal",
    library: { idField: "id" },
  }),
  dialectA("A whose lists are `_embedded`, as with HAL", { keys: "embedded", lists: { shape: "named" } }),
  dialectB("B whose ids are `_id`, in bare lists", { keys: "mongo", lists: { shape: "bare" } }),
  dialectB("B whose fields are `Slug`, `ID`, and `URL`", { keys: "Pascal", lists: { shape: "items" } }),
  dialectB("B whose lists are `_embedded`", { keys: "embedded" }),
])("publishes everything once to $name", async (dialect) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: { blog: { create: true } } });
  const { world } = stranger;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  expect([...world.posts.values()].flat()).toHaveLength(2);
  const before = world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0 });
  await loseState();
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(writesAt(world, before)).toEqual([]);
  await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(world.pages.get("about")?.html).toContain("About us");
});

it("a post that lacks a field which the host requires and imprint doesn't send is reported with that reason", async () => {
  const { run, proxy } = await openBehindProxy(dialectA("A"), { posts: { blog: { create: true } }, brandKit: false });
  const body = JSON.stringify({ errors: [{ field: "categoryId", message: "A category is required" }] });
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "POST" || !path.endsWith("/posts")) return undefined;
    return Promise.resolve(void answer.writeHead(422, { "content-type": "application/json" }).end(body));
  });
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('requires "categoryId" of a post') });
    expect(said).not.toContain("Fix the problem in the message");
  }
});
