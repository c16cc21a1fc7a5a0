import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { openRunningService } from "../../service/open-service.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject as openProjectAt, type Project } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const BLOG = "src/content/blog";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const OPTIONS = { posts: { blog: { create: true } } };
const HOSTS = [
  dialectA("A tells where posts are", { posts: { tells: "url" }, pages: { tells: "public-url" } }),
  dialectB("B tells where posts are", { posts: { tells: "url" }, pages: { putBody: "multipart" } }),
];

const post = (title: string, body: string, field = "pubDate: 2026-01-05") =>
  `---\ntitle: ${title}\n${field}\n---\n\n${body}\n`;

async function openProject(dialect: (typeof HOSTS)[number]) {
  const project = await openAtStranger(dialect, OPTIONS);
  const names = ["ink.md", "paper.md"];
  await Promise.all(names.map((name) => project.remove(`${BLOG}/${name}`)));
  const { world } = project.stranger;
  const posts = () => new Map([...world.posts.values()].flat().map((each) => [each.slug, each]));
  const addressOf = (slug: string) => `${world.addresses.pages}/blog/${[...world.posts.keys()][0]}/${slug}`;
  return { ...project, posts, addressOf };
}

const writePost = ({ write }: Project, slug: string, text: string) => write(`${BLOG}/${slug}.md`, text);

const inTurn = takeTurns(HOSTS);

describe.each(HOSTS)("a post that links to another one: $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn()).each([
    { command: ["publish"], title: "Our new pricing, explained", leadsTo: "post" },
    { command: ["publish"], title: "Pricing", leadsTo: "page" },
    { command: ["posts", "sync"], title: "Our new pricing, explained", leadsTo: "post" },
  ])(
    "doesn't lead to a page that only has the other's name ($command, $title)",
    async ({ command, title, leadsTo }) => {
      const project = await openProject(dialect);
      await project.write("dist/pricing/index.html", htmlPage("Pricing", "<h1>Pricing</h1><p>A table of plans.</p>"));
      if (command[0] === "posts") await project.run("publish");
      await writePost(project, "pricing", post(title, "Why everything gets cheaper."));
      await writePost(project, "linker", post("Linker", "See [the post](./pricing.md#why)."));
      await project.run(...command);
      const address = leadsTo === "post" ? project.addressOf("pricing") : `/p/pricing`;
      expect(project.posts().get("linker")?.html).toContain(`${address}#why"`);
    },
  );

  it.runIf(isTurn()).each([
    ["with a missing picture", post("Beta", "![x](./pixel.png)")],
    ["with an invalid date", post("Beta", "Text.", "pubDate: 2026-02-30")],
  ])("waits for one %s, and links to it afterwards", async (_, broken) => {
    const project = await openProject(dialect);
    await writePost(project, "alpha", post("Alpha", "Read [beta](./beta.md#part) first."));
    await writePost(project, "beta", broken);
    await writePost(project, "gamma", post("Gamma", "Read [alpha](./alpha.md)."));
    for (const argv of [["posts", "plan"], ["publish"]]) {
      const { code, said } = await project.run(...argv);
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toMatch(/it links to (?:beta|src\/content\/blog\/beta\.md), which/);
      expect(said).toContain("it links to alpha, which");
      expect([...project.posts().keys()]).toEqual([]);
    }
    await project.write(`${BLOG}/pixel.png`, PIXEL);
    if (broken.includes("02-30")) await writePost(project, "beta", post("Beta", "Text."));
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    expect(project.posts().get("alpha")?.html).toContain(`href="${project.addressOf("beta")}#part"`);
    expect(project.posts().get("gamma")?.html).toContain(`href="${project.addressOf("alpha")}"`);
  });

  it.runIf(isTurn())(
    "omits a link to the page of a draft, and every run reports it once the page is published",
    async () => {
      const project = await openProject(dialect);
      await writePost(project, "alpha", post("Alpha", "Read [*beta*](/blog/beta/#part)."));
      await writePost(project, "beta", post("Beta", "Text.", "draft: true"));
      expect(await project.run("publish")).toMatchObject({
        code: 0,
        said: expect.stringContaining("The link to /blog/beta/#part is left out"),
      });
      expect(project.posts().get("alpha")?.html).toContain("<p>Read <em>beta</em>.</p>");
      await writePost(project, "beta", post("Beta", "Text."));
      await project.write("dist/blog/beta/index.html", htmlPage("Beta", "<h1>Beta</h1><p>Text.</p>"));
      for (let runs = 0; runs < 2; runs += 1) {
        const { code, said } = await project.run("publish");
        expect({ code, said }).toMatchObject({ code: 1 });
        expect(said).toContain("its link to /blog/beta/#part was left out");
      }
    },
  );

  it.runIf(isTurn())("omits a link to a draft, and every run reports it until someone adds the link", async () => {
    const project = await openProject(dialect);
    await writePost(project, "alpha", post("Alpha", "Read [*beta*](./beta.md) and [nothing](./nothing.md)."));
    await writePost(project, "beta", post("Beta", "Text.", "draft: true"));
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await project.run("publish");
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toContain("The link to ./beta.md is left out");
      expect(said).toContain("The link to ./nothing.md is left out");
    }
    expect(project.posts().get("alpha")?.html).toContain("<p>Read <em>beta</em> and nothing.</p>");
    await writePost(project, "beta", post("Beta", "Text."));
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await project.run("publish");
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("its link to ./beta.md was left out");
      expect(said).toContain("imprint posts ack alpha");
    }
    expect(await project.run("posts", "ack", "alpha")).toMatchObject({ code: 0 });
    expect(await project.run("publish")).toMatchObject({ code: 0 });
  });
});

describe.each(HOSTS)("a post that links to a page that `--prune` deletes: $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("is reported by the run that deletes the page, and by later runs", async () => {
    const project = await openProject(dialect);
    await project.write("dist/contact/index.html", htmlPage("Contact", "<h1>Contact</h1><p>Write to us.</p>"));
    await writePost(project, "alpha", post("Alpha", "Text for readers who [contact us](/contact/)."));
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const [, address = ""] = /href="([^"]*)"/.exec(project.posts().get("alpha")?.html ?? "") ?? [];
    await project.remove("dist/contact");
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const { code, said } = await project.run("publish", "--prune");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toMatch(/alpha: it links to \S*\/p\/contact, a page that the site no longer has/);
    expect((await fetch(new URL(address, project.addressOf("alpha")))).status).toBe(404);
    const after = await project.run("publish", "--prune");
    expect({ code: after.code, said: after.said }).toMatchObject({ code: 1 });
    expect(after.said).toMatch(/alpha: it links to \S*\/p\/contact, which no longer exists/);
  });
});

describe.each(HOSTS)("a post whose slug changes: $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())(
    "is blocked, because its address can't change, until someone keeps it at its address",
    async () => {
      const project = await openProject(dialect);
      await writePost(project, "note", post("Note", "Text.", "slug: beta"));
      await project.run("publish");
      await writePost(project, "note", post("Note", "Text.", "slug: gamma"));
      for (const argv of [["publish"], ["posts", "plan"], ["publish"]]) {
        const { code, said } = await project.run(...argv);
        expect({ code, said }).toMatchObject({ code: 1 });
        expect(said).toContain('it was published as "beta", and this service can\'t move a post');
      }
      expect(await project.run("posts", "ack", "gamma")).toMatchObject({ code: 0 });
      expect(await project.run("publish")).toMatchObject({ code: 0 });
      expect([...project.posts().keys()]).toEqual(["beta"]);
    },
  );

  it.runIf(isTurn())("is linked at its current address, and a post that takes its slug isn't", async () => {
    const project = await openProject(dialect);
    await writePost(project, "first", post("First", "The text of the first post."));
    await project.run("publish");
    await writePost(project, "2023-first", post("First", "The text of the first post."));
    await writePost(project, "first", post("Brand new", "Something entirely different is here."));
    await writePost(project, "old", post("Old", "See [it](./2023-first.md)."));
    await writePost(project, "linker", post("Linker", "See [it](./2023-first.md) and [new](./first.md)."));
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await project.run("publish");
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("it links to first, which is not in the blog");
      expect([...project.posts().keys()]).toEqual(["first", "old"]);
      expect(project.posts().get("old")?.html).toContain(`href="${project.addressOf("first")}"`);
    }
  });
});

describe("an edit of a post at a service that can change posts", () => {
  async function openPublished() {
    const service = await openRunningService();
    const proxy = await startProxy(service.baseUrl("a"));
    onTestFinished(() => proxy.close());
    const project = await openProjectAt({ baseUrl: proxy.url, apiKey: service.apiKey }, { posts: {} });
    await project.remove(BLOG);
    await writePost(project, "alpha", post("Alpha", "First."));
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    await writePost(project, "alpha", post("Alpha", "Now read [beta](./beta.md)."));
    const readAlpha = async () => (await fetch(`${service.pagesUrl}/blog/blog/alpha`)).text();
    return { ...project, proxy, readAlpha };
  }

  it.each([
    ["has an error", post("Beta", "![x](./pixel.png)"), false],
    ["the service rejects", post("Beta", "Text."), true],
  ])("waits for a new post that it links to and that %s", async (_, beta, isRefused) => {
    const { proxy, readAlpha, ...project } = await openPublished();
    await writePost(project, "beta", beta);
    proxy.meddle(({ method, path, answer }) => {
      if (!isRefused || method !== "POST" || !path.endsWith("/posts")) return undefined;
      answer.writeHead(422, { "content-type": "application/json" }).end('{"error":"No more posts today."}');
      return Promise.resolve();
    });
    const { code, said } = await project.run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("alpha: it links to beta, which") });
    expect(await readAlpha()).toContain("First.");
    proxy.meddle(() => undefined);
    await project.write(`${BLOG}/pixel.png`, PIXEL);
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    expect(await readAlpha()).toMatch(/href="[^"]*\/beta"/);
  });
});

it("verifies links in posts to the host's own pages", async () => {
  const [dialect = dialectA("A")] = HOSTS;
  const project = await openProject(dialect);
  await writePost(project, "alpha", post("Alpha", "Read [beta](./beta.md)."));
  await writePost(project, "beta", post("Beta", "Text."));
  await project.run("publish");
  expect(await project.run("publish", "--verify")).toMatchObject({ code: 0 });
  const { world, byHand } = project.stranger;
  const [[blog = "", posts = []] = []] = [...world.posts];
  const alpha = posts.find(({ slug }) => slug === "alpha");
  byHand.editPost(blog, alpha?.id ?? "", (alpha?.html ?? "").replace(project.addressOf("beta"), "./beta.md"));
  const { code, said } = await project.run("publish", "--verify");
  expect({ code, said }).toMatchObject({ code: 1 });
  expect(said).toContain(project.addressOf("beta.md"));
}, 60_000);
