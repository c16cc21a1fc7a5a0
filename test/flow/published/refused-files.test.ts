import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

it.each([dialectA, dialectB])(
  "a file that is left out is reported with the number of pages that lack it",
  async (host) => {
    const room = { status: 413, words: "file too large.", files: 0 };
    const { run, stranger } = await openAtStranger(host("takes no files", { library: { room } }));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toMatch(/logo.png[^:]*: [^;]*file too large; index.html and 2 other pages are published without it/);
    expect(said).toMatch(/photo.png[^:]*: [^;]*file too large; index.html is published without it/);
    const lacking = [...stranger.world.pages.values()].filter(({ html }) =>
      html.includes('src="data:%2C" alt="Halden Press"'),
    );
    expect(lacking).toHaveLength(3);
  },
);
