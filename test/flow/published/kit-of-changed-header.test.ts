// A host that can't change a brand kit gets a new one only if a brand value changes.
import { expect, it } from "vitest";
import { dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const pageWith = (link: string, color: string) =>
  `<!doctype html><html lang="en"><head><title>Pier Four</title><style>body{background:${color};color:#222}</style></head><body>
<header><a href="/">Pier Four</a> <a href="/about/">${link}</a></header><main><h1>Home</h1><p>A page with enough words on it to be taken for one by everybody who reads it.</p></main></body></html>`;

it.each([dialectB("B shows kits in full"), dialectB("B shows few fields", { lists: { fields: "few" } })])(
  "$name: a changed header creates no second kit, but a changed color does",
  async (dialect) => {
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
    const { brandKits } = stranger.world;
    await write("dist/index.html", pageWith("About", "#fff3e0"));
    await run("publish");
    expect(brandKits.size).toBe(1);
    await write("dist/index.html", pageWith("About us", "#fff3e0"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(brandKits.size).toBe(1);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    await write("dist/index.html", pageWith("About us", "#e0f0ff"));
    await run("publish");
    expect(brandKits.size).toBe(2);
  },
);
