import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy, openProject } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const LIST = { fields: "times-too" } as const;
const about = (text: string) => htmlPage("About", `<h1>About us</h1><p>${text}</p>`);
const SAME_TIME = expect.stringContaining("published about at the same time, and readers see its version");

it.each([
  { dialect: dialectA("A"), isForgetful: false },
  { dialect: dialectA("A that lists times", { lists: LIST }), isForgetful: false },
  { dialect: dialectA("A that lists times, without .imprint/", { lists: LIST }), isForgetful: true },
  { dialect: dialectB("B that lists times", { lists: LIST, pages: { putBody: "multipart" } }), isForgetful: false },
])("a page that another job replaced at $dialect.name is sent by the next run", async ({ dialect, isForgetful }) => {
  const { stranger, proxy, run, write, root, loseState } = await openBehindProxy(dialect, OPTIONS);
  const { world } = stranger;
  const isOf = (path: string) => path.endsWith("/about") || path.endsWith(`/${world.pages.get("about")?.id}`);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const other = await openProject({ baseUrl: proxy.url, apiKey: API_KEY, world }, OPTIONS);
  await cp(join(root, "imprint.lock.json"), join(other.root, "imprint.lock.json"));
  await other.write("dist/about/index.html", about("Theirs"));
  if (isForgetful) await loseState();
  await write("dist/about/index.html", about("Ours"));
  let isOver = false;
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method === "GET" || !isOf(path) || isOver) return undefined;
    isOver = true;
    return forward().then(async (response) => {
      await other.run("publish");
      passOn(answer, response);
    });
  });
  expect(await run("publish")).toMatchObject({ code: 1, said: SAME_TIME });
  expect(world.pages.get("about")?.html).toContain("Theirs");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
  expect(world.pages.get("about")?.html).toContain("Ours");
});
