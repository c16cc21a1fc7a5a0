import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const DOCTYPE = /<!doctype html>/i;

it.each([
  { dialect: dialectA("A"), change: "drops it", says: "the service removes <!DOCTYPE html> from" },
  {
    dialect: dialectB("B", { pages: { tells: "edit" } }),
    change: "drops it",
    says: "the service removes <!DOCTYPE html> from",
  },
  {
    dialect: dialectA("A"),
    change: "puts a bar before it",
    says: "the service inserts markup before <!DOCTYPE html> on",
  },
  {
    dialect: dialectB("B", { pages: { tells: "edit" } }),
    change: "puts a bar before it",
    says: "the service inserts markup before <!DOCTYPE html> on",
  },
])("the doctype of pages is named once if $dialect.name $change, until --accept", async ({ dialect, change, says }) => {
  const { run, proxy } = await openBehindProxy(dialect, { posts: false, brandKit: false });
  proxy.meddle(({ path, answer, forward }) => {
    if (!path.startsWith("/p/")) return undefined;
    return forward().then(({ bytes, headers, status }) => {
      const html = bytes.toString();
      const shown = change === "drops it" ? html.replace(DOCTYPE, "") : `<div>Hosted here</div>\n${html}`;
      const type = { "content-type": headers["content-type"] };
      passOn(answer, { status, headers: type, bytes: Buffer.from(shown) });
    });
  });
  const first = await run("publish");
  expect(first).toMatchObject({ code: 1, said: expect.stringContaining(says) });
  expect(first.said.split(says)).toHaveLength(2);
  expect(first.said).not.toContain("removes lang");
  expect(await run("publish", "--verify")).toMatchObject({ code: 1, said: expect.stringContaining(says) });
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});
