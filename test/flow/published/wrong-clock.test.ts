import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const OPTIONS = { posts: { blog: { create: true } }, brandKit: false };
const HOUR = 3_600_000;
const post = (date: number) =>
  `---\ntitle: The embargo\npubDate: ${new Date(date).toISOString()}\n---\n\nNobody may read this yet.\n`;

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a post isn't sent to $name before it is due there, if the clock here is a day ahead",
  async (dialect) => {
    const { stranger, proxy, run, write } = await openBehindProxy(dialect, OPTIONS);
    const titles = () => [...stranger.world.posts.values()].flat().map(({ title }) => title);
    let behindMs = 24 * HOUR;
    proxy.meddle(({ answer, forward }) =>
      forward().then((response) => {
        const headers = { ...response.headers, date: new Date(Date.now() - behindMs).toUTCString() };
        passOn(answer, { ...response, headers });
      }),
    );
    await write("src/content/blog/embargo.md", post(Date.now() - 6 * HOUR));
    for (let times = 0; times < 2; times += 1) {
      const { code, said } = await run("publish", "--accept");
      expect({ code, said }).toMatchObject({
        code: 0,
        said: expect.stringContaining("1440 minutes ahead of the serv"),
      });
      expect(titles()).not.toContain("The embargo");
    }
    behindMs = 0;
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(titles()).toContain("The embargo");
  },
);
