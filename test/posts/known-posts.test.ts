import { describe, expect, it, onTestFinished } from "vitest";
import { createServer } from "node:http";
import { once } from "node:events";
import { createClient } from "../../src/client.ts";
import { knowPosts } from "../../src/posts/identity/known-posts.ts";
import type { PostEntry } from "../../src/posts/memory/ledger.ts";
import { entryOf, localPost, markerHtml, NOW, remoteOf } from "./local-post.ts";

type Answer = { readonly status?: number; readonly body: unknown };

/** A service that only lists posts, in its own way. */
async function openBlog(answer: (url: URL) => Answer, entries: readonly (readonly [string, PostEntry])[] = []) {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(new URL(request.url ?? "", "http://service"));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = createClient({ baseUrl, apiKey: "key", routeSet: "a" });
  onTestFinished(async () => {
    await api.close();
    server.close();
  });
  const clock = { now: () => NOW, sleep: async () => {} };
  const own = entries.map(([slug, entry]) => [slug, { ...entry, url: `${baseUrl}/p/${slug}` }] as const);
  const ledger = { entries: new Map(own), open: new Map(), learned: {} };
  return await knowPosts({ api, blogId: "b", clock }, { ledger, local: [localPost("ink")], waits: false });
}

const TEN = Array.from({ length: 10 }, (_, index) => remoteOf(`post-${index}`));

describe("a list that ends at a common page size", () => {
  it.each([
    ["is proven complete by other posts on a second page", [remoteOf("post-10")], "proven"],
    ["is proven complete by an empty second page", [], "proven"],
    ["stays unproven if the same posts are repeated", TEN, "unproven"],
  ])("%s", async (_, page, kind) => {
    const known = await openBlog(({ searchParams }) => ({ body: searchParams.has("page") ? page : TEN }));
    expect(known.completeness.kind).toBe(kind);
  });

  it("stays unproven if the service rejects unknown parameters", async () => {
    const known = await openBlog(({ searchParams }) =>
      searchParams.has("page") || searchParams.has("offset") ? { status: 400, body: {} } : { body: TEN },
    );
    expect(known.completeness.kind).toBe("unproven");
  });
});

describe("a published post that the list lacks", () => {
  it.each([
    [404, "proven", ["ink"]],
    [410, "proven", ["ink"]],
    [200, "unproven", []],
    [503, "refuted", []],
  ])("whose address returns %i leaves the list %s", async (status, kind, gone) => {
    const known = await openBlog(
      ({ pathname }) => (pathname.startsWith("/p/") ? { status, body: {} } : { body: { data: [], nextCursor: null } }),
      [["ink", entryOf("ink")]],
    );
    expect([known.completeness.kind, [...known.gone]]).toEqual([kind, gone]);
  });
});

it("requests bodies only if the state doesn't explain the list", async () => {
  const asked: string[] = [];
  const answer = ({ search, searchParams }: URL) => {
    asked.push(search);
    const html = searchParams.has("include") ? { html: markerHtml("ink") } : {};
    return { body: { data: [{ ...remoteOf("ink"), ...html }], nextCursor: null } };
  };
  const known = await openBlog(answer);
  expect(known.posts[0]?.marker?.source).toHaveLength(12);
  expect(asked).toEqual(["?limit=100", "?limit=100&include=content"]);
  asked.length = 0;
  await openBlog(answer, [["ink", entryOf("ink")]]);
  expect(asked).toEqual(["?limit=100"]);
});
