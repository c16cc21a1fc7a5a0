import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { passOn } from "../../faults/proxy.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

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

it.each([
  [{ status: undefined }, "www.example.org is not active, and the service doesn't say why."],
  [{ status: "", error: "The CNAME is missing." }, "www.example.org is not active. The CNAME is missing."],
  [{ status: "in review" }, "www.example.org is not active: in review."],
])("tells the state of a domain from %j", async (shown, words) => {
  const { run, proxy } = await openBehindProxy(dialectA("A", { lists: { shape: "bare" } }), { posts: false });
  expect(await run("domains", "add", "www.example.org")).toMatchObject({ code: 0 });
  proxy.meddle(({ path, forward, answer }) =>
    path.startsWith("/api/custom-domains")
      ? forward().then(({ status, bytes }) => {
          const json: unknown = JSON.parse(bytes.toString() || "{}");
          const other = Array.isArray(json)
            ? json.map((each) => ({ ...each, ...shown }))
            : { ...Object(json), ...shown };
          const headers = { "content-type": "application/json" };
          passOn(answer, { status, headers, bytes: Buffer.from(JSON.stringify(other)) });
        })
      : undefined,
  );
  expect((await run("domains", "check", "www.example.org")).said).toContain(words);
});
