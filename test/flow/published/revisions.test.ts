import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy, writesAt } from "./project.ts";

const HOSTS = [
  dialectA("A", { lists: { shape: "bare" }, pages: { tells: "public-url" } }),
  dialectB("B", { lists: { shape: "bare" }, pages: { putBody: "multipart" } }),
];

it.each(HOSTS.flatMap((dialect) => (["first", "last"] as const).map((place) => ({ ...dialect, place }))))(
  "pages that $name lists with their archived revisions are the published ones, listed $place",
  async (dialect) => {
    const { stranger, proxy, run } = await openBehindProxy(dialect, { brandKit: false });
    proxy.meddle(({ method, path, answer, forward }) => {
      if (method !== "GET" || !/\/api\/pages(?:\?|$)/.test(path)) return undefined;
      return forward().then(({ status, bytes }) => {
        const pages: unknown = JSON.parse(bytes.toString());
        const each = Array.isArray(pages)
          ? pages.flatMap((page) =>
              dialect.place === "first"
                ? [page, { ...page, status: "archived" }]
                : [{ ...page, status: "archived" }, page],
            )
          : [];
        const all = Buffer.from(JSON.stringify(each));
        passOn(answer, { status, headers: { "content-type": "application/json" }, bytes: all });
      });
    });
    expect(await run("publish")).toMatchObject({ code: 0 });
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    expect(writesAt(stranger.world, before)).toEqual([]);
  },
);
