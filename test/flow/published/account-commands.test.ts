import { expect, it } from "vitest";
import { dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it("`imprint diff` shows nothing for an unchanged page, even with non-ASCII file names", async () => {
  const { run, write } = await openAtStranger(dialectB("B plain"), { posts: false });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Лампа</title></svg>';
  await write("dist/Фото лампа.svg", svg);
  const about = (text: string) => htmlPage("About", `<img src="/Фото лампа.svg" alt=""><p>${text}</p>`);
  await write("dist/about/index.html", about("One"));
  await run("publish", "--accept");
  expect(await run("diff", "about")).toMatchObject({ code: 0, said: expect.not.stringContaining("<img") });
  await write("dist/about/index.html", about("Two"));
  const { said } = await run("diff", "about");
  expect(said).toContain("-<p>One</p> +<p>Two</p>");
  expect(said).not.toMatch(/[-+]<img/);
});

it("`imprint analytics` reports that a host has no analytics, not that there are no pages", async () => {
  const dialect = dialectB("B without analytics", { areas: { analytics: { status: 404, words: "Not found" } } });
  const { run } = await openAtStranger(dialect, { posts: false });
  await run("publish", "--accept");
  for (const argv of [["analytics"], ["analytics", "about"]]) {
    const { code, said } = await run(...argv);
    expect([code, said]).toEqual([1, expect.stringMatching(/has the page "\w+", and reports no analytics for it/)]);
  }
  expect((await run("analytics", "nowhere")).said).toContain('The service has no page "nowhere"');
});
