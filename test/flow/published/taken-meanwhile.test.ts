import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, type Dialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

const HELD = /another project \(\w+\) has published/;
const OPTIONS = { posts: false, brandKit: false };
const TIMES = { lists: { fields: "times-too" } } as const;

interface Meeting {
  readonly dialect: Dialect;
  readonly titles: string;
  /** The only slug that both want. */
  readonly only?: string;
}

it.each<Meeting>([
  { dialect: dialectA("A that lists times", TIMES), titles: "the same" },
  { dialect: dialectA("A that lists times", TIMES), titles: "other" },
  { dialect: dialectA("A", { pages: { tells: "public-url" } }), titles: "other" },
  { dialect: dialectA("A", { pages: { tells: "public-url" } }), titles: "other", only: "about" },
  { dialect: dialectA("A", { ...TIMES, pages: { tells: "public-url" } }), titles: "the same", only: "about" },
])(
  "a project that publishes the same slugs at the same moment is named in each run ($dialect.name, $titles titles, only $only)",
  async ({ dialect, titles, only }: Meeting) => {
    const other = await openAtStranger(dialectA("A"), OPTIONS);
    await other.run("publish", "--accept");
    const theirs = other.stranger.world.pages;
    const { stranger, proxy, run, write, loseState } = await openBehindProxy(dialect, OPTIONS);
    const { pages } = stranger.world;
    for (const { slug, title } of theirs.values()) {
      const path = slug === "index" ? "" : `${slug.replace("services-", "services/")}/`;
      const own = titles === "other" ? `Otter ${slug}` : title;
      await write(`dist/${path}index.html`, htmlPage(own, `<h1>Otters</h1><p>All about otters at ${slug}.</p>`));
    }
    proxy.meddle(({ method, path, answer, forward }) => {
      const slug = path.split("/").at(-1) ?? "";
      const their = only === undefined || slug === only ? theirs.get(slug) : undefined;
      if (method !== "PUT" || their === undefined) return undefined;
      return forward().then((response) => {
        const own = pages.get(slug);
        const updatedAt = new Date(Date.parse(own?.updatedAt ?? "") + 1).toISOString();
        if (own !== undefined) pages.set(slug, { ...own, html: their.html, title: their.title, updatedAt });
        passOn(answer, response);
      });
    });
    const first = await run("publish");
    expect(first).toMatchObject({ code: 1, said: expect.stringMatching(HELD) });
    expect(first.said).not.toMatch(/titles|pagesUrl/);
    proxy.meddle(() => undefined);
    expect(await run("publish", "--accept")).toMatchObject({ code: 1, said: expect.stringMatching(HELD) });
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringMatching(HELD) });
    const others = [...pages.values()].filter(({ html }) => !html.includes("otters at"));
    expect(others.map(({ slug }) => slug)).toEqual([only ?? "index"]);
  },
);
