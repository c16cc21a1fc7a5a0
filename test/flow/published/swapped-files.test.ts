import { expect, it } from "vitest";
import { addressOf, openAtService, send } from "./project.ts";

const BLOG = "src/content/blog";

const week = (number: number, text: string) =>
  `---\ntitle: Notes of week ${number}\npubDate: 2026-01-${number}\n---\n\n${text}\n\nAs every week, with thanks to everybody who wrote to us.\n`;
const [TWELFTH, THIRTEENTH] = [
  week(12, "We set the first lines of the almanac by hand."),
  week(13, "The paper came late, so we cleaned the press instead."),
];

it.each([
  ["one was edited", TWELFTH, THIRTEENTH.replace("came late", "was wet")],
  ["both were edited", TWELFTH.replace("first", "last"), THIRTEENTH.replace("came late", "was wet")],
])(
  "keeps two posts apart whose files swapped names after the lock file was lost: %s",
  async (_, twelfth, thirteenth) => {
    const { service, run, remove, write, loseLock } = await openAtService("a", { posts: { blog: { slug: "notes" } } });
    await remove(BLOG);
    await write(`${BLOG}/week-12.md`, TWELFTH);
    await write(`${BLOG}/week-13.md`, THIRTEENTH);
    expect(await run("posts", "sync")).toMatchObject({ code: 0 });
    await loseLock();
    await write(`${BLOG}/week-12.md`, thirteenth);
    await write(`${BLOG}/week-13.md`, twelfth);
    for (let runs = 0; runs < 3; runs += 1) {
      const { code, said } = await run("posts", "sync");
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(await send(addressOf(service, "a"), ["GET", "/api/blogs/notes/posts"])).toMatchObject({
        data: [
          { slug: "week-13", title: "Notes of week 13" },
          { slug: "week-12", title: "Notes of week 12" },
        ],
      });
    }
  },
);
