import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

it.each([
  dialectA("A, whose policy forbids scripts", {
    pages: { headers: { "content-security-policy": "script-src 'none'" } },
  }),
  dialectB("B, whose pages are in a sandbox", { pages: { headers: { "content-security-policy": "sandbox" } } }),
])("names the pages whose scripts browsers don't run at $name, until it is accepted", async (dialect) => {
  const { run, loseState, loseLock } = await openAtStranger(dialect, { posts: false });
  const without = "readers get pages of this service without scripts: index, about";
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(without) });
  }
  await loseState();
  await loseLock();
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(without) });
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it("a policy that allows everything that pages need changes nothing", async () => {
  const policy = "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'";
  const { run } = await openAtStranger(dialectA("A", { pages: { headers: { "content-security-policy": policy } } }), {
    posts: false,
  });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it("a page that is served as plain text isn't published", async () => {
  const { run } = await openAtStranger(dialectA("A", { pages: { headers: { "content-type": "text/plain" } } }), {
    posts: false,
  });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("is served as text/plain") });
});
