import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

it.each([
  ["Title must be unique in this blog", "give your post another title."],
  ["The address is taken", 'give your post another slug than "blot".'],
])("a post that a host refuses with 409, %s, is to get what the host demands", async (message, hint) => {
  const { run, write, proxy } = await openBehindProxy(dialectA("A"), { posts: {}, brandKit: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write("src/content/blog/blot.md", "---\ntitle: On blots\npubDate: 2026-03-05\n---\n\nInk is a paint.\n");
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "POST" || !path.endsWith("/posts")) return undefined;
    answer.writeHead(409, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
    return Promise.resolve();
  });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1 });
  expect(said).toContain(message);
  expect(said).toContain(hint);
});

it("looks in the list at most twice for posts that a host clearly refuses, in each run", async () => {
  const { run, write, proxy } = await openBehindProxy(dialectA("A"), { posts: {}, brandKit: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  const names = ["blot", "drop", "spill"];
  for (const name of names) {
    await write(`src/content/blog/${name}.md`, `---\ntitle: On a ${name}\npubDate: 2026-03-05\n---\n\nA ${name}.\n`);
  }
  let requests: string[] = [];
  proxy.meddle(({ method, path, answer }) => {
    if (!/\/posts(?:\?|$)/.test(path)) return undefined;
    requests.push(method);
    if (method !== "POST") return undefined;
    const error = { message: "Title must be unique in this blog" };
    answer.writeHead(409, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return Promise.resolve();
  });
  for (let runs = 0; runs < 2; runs++) {
    requests = [];
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("unchanged · 3 failed") });
    // Each is sent after a look; the first is looked for twice, the others once.
    expect(requests.join(" ")).toMatch(/^(?:GET )+POST GET GET GET POST GET GET POST GET$/);
  }
});
