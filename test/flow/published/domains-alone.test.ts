import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const NONE = { status: 404, words: "Not found" } as const;

it.each([dialectA, dialectB])("`imprint domains` names the area that a host lacks: domains", async (make) => {
  for (const areas of [{ domains: NONE }, { domains: NONE, sites: NONE }]) {
    const { run } = await openAtStranger(make("without", { areas }), { posts: false });
    for (const command of [["add", "www.example.org"], ["list"], ["check", "www.example.org"]]) {
      const said = expect.stringContaining("has no custom domains: GET /api/custom-domains");
      expect(await run("domains", ...command)).toMatchObject({ code: 1, said });
    }
  }
});

it.each([dialectA, dialectB])("domains are added and listed at a host without sites", async (make) => {
  const { run } = await openAtStranger(make("without sites", { areas: { sites: NONE } }), { posts: false });
  expect(await run("domains", "add", "www.example.org")).toMatchObject({ code: 0 });
  expect(await run("domains", "list")).toMatchObject({ code: 0, said: expect.stringContaining("www.example.org") });
  const said = expect.stringContaining("has no sites");
  expect(await run("domains", "add", "shop.example.org", "--site", "docs")).toMatchObject({ code: 1, said });
});
