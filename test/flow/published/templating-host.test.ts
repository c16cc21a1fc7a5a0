import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const TEMPLATE = "<h1>About</h1><pre><code>Hello {{ user.name }}, {% if member %}you{% endif %} see this</code></pre>";
const ESCAPED = TEMPLATE.replaceAll("{{", "&#123;&#123;").replaceAll("{%", "&#123;%");
const HOSTS = [dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })];

/** A host that renders the pages of its readers as templates. */
async function openAtTemplating(dialect: (typeof HOSTS)[number], body: string) {
  const project = await openBehindProxy(dialect, OPTIONS);
  await project.write("dist/about/index.html", htmlPage("About", body));
  const { pathname } = new URL(project.stranger.publicUrl("about"));
  project.proxy.meddle(({ path, answer, forward }) => {
    if (path !== pathname) return undefined;
    return forward().then((page) => {
      const html = page.bytes.toString().replace(/\{\{.*?\}\}|\{%.*?%\}/gs, "");
      passOn(answer, { ...page, bytes: Buffer.from(html) });
    });
  });
  await project.configure({ ...OPTIONS, pagesUrl: `${project.proxy.url}${pathname.replace("about", "{slug}")}` });
  return project;
}

it.each(HOSTS)("text that $name takes for a template is named in each run until it is accepted", async (dialect) => {
  const { run, loseState } = await openAtTemplating(dialect, TEMPLATE);
  const said = expect.stringContaining(`readers don't see "{{ user.name }}" on about`);
  expect(await run("publish")).toMatchObject({ code: 1, said });
  expect(await run("publish")).toMatchObject({ code: 1, said });
  await loseState();
  const verified = await run("publish", "--verify");
  expect(verified).toMatchObject({ code: 1, said: expect.stringContaining("processes such text as a template") });
  expect(verified.said).not.toContain("imprint diff");
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each(HOSTS)("text that $name can't take for a template is live", async (dialect) => {
  const { run } = await openAtTemplating(dialect, ESCAPED);
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});
