import { describe, expect, it } from "vitest";
import { failure, testClient } from "./clients.ts";
import { startHost } from "./host.ts";

// Shapes of the answers of common frameworks, databases, and media services.

const PAGE = { slug: "home", html: "<p>", title: "Home" };
const FILE = { name: "a-1f.png", contentType: "image/png", bytes: Buffer.from("png") };
const AT = "https://cdn.example.org/a.png";

async function answerWrites(body: unknown) {
  return startHost(({ method }) => (method === "GET" ? { body: [] } : { body }));
}

describe("the answer to an upload", () => {
  it.each([
    { id: 7, imageUrl: AT },
    { id: 7, image_url: AT },
    { asset_id: "7", secure_url: AT, url: "http://cdn.example.org/a.png" },
    { id: 7, source_url: AT, link: "https://example.org/attachment/7" },
    { media_id: 7, mediaUrl: AT },
    { id: 7, uri: AT },
    { id: 7, permalink: AT },
    { id: 7, thumbnailUrl: "https://cdn.example.org/small.png", originalUrl: AT },
    { id: 7, url: AT, originalUrl: "https://uploads.example.org/private/a.png" },
    { id: 7, sourceUrl: "https://elsewhere.example/a.png", url: AT },
    { id: 7, url: "https://example.org/dashboard/files/7", sourceUrl: AT },
    { id: 7, sizes: { thumb: { url: "https://cdn.example.org/small.png" }, full: { source_url: AT } } },
    { id: 7, _links: { self: { href: "/api/library/7" }, content: { href: AT } } },
    { success: true, errors: [], result: { id: "7", variants: [AT, "https://cdn.example.org/small.png"] } },
    { images: [{ id: 7, url: AT }] },
    { sys: { id: "7" }, id: 7, fields: { title: "a", file: { url: AT, contentType: "image/png" } } },
    { id: 7, fields: { file: { "en-US": { url: AT } } } },
    { id: 7, thumbnail: { url: "https://cdn.example.org/small.png" }, file: { url: AT } },
    { media: { id: 7, url: AT } },
    { uploaded: [{ id: 7, url: AT }] },
  ])("%j shows the file's id and address", async (body) => {
    const { baseUrl, received } = await answerWrites(body);
    expect(await testClient({ baseUrl }).assets.upload(FILE)).toMatchObject({ id: "7", url: AT });
    expect(received).toHaveLength(1);
  });

  it("may be only the address", async () => {
    const { baseUrl } = await answerWrites({ data: AT });
    expect(await testClient({ baseUrl }).assets.upload(FILE)).toMatchObject({ url: AT });
  });
});

it("a library may list folders, and files without ids", async () => {
  const { baseUrl } = await startHost(() => ({
    body: [
      { type: "folder", name: "pictures" },
      { key: "a.png", url: AT },
      { key: "b.png", name: "b.png", type: "image/png", url: "/files/b.png" },
    ],
  }));
  expect((await testClient({ baseUrl }).assets.list()).items).toEqual([
    { id: AT, url: AT },
    { id: `${baseUrl}/files/b.png`, name: "b.png", contentType: "image/png", url: `${baseUrl}/files/b.png` },
  ]);
});

describe("the answer to a written page", () => {
  it.each([
    { acknowledged: true, insertedId: "7" },
    { acknowledged: true, modifiedCount: 0, upsertedCount: 1, matchedCount: 0, upsertedId: "7" },
    { changes: 1, lastInsertRowid: 7 },
    { rows: [{ id: 7, slug: "home" }], rowCount: 1 },
    { statusCode: 200, body: { id: "7", slug: "home" } },
    { isError: false, value: { id: "7", slug: "home" } },
    { id: "7", slug: "/home" },
    { id: "7", slug: "/home/" },
  ])("%j shows its id and slug", async (body) => {
    const { baseUrl, received } = await answerWrites(body);
    expect(await testClient({ baseUrl }).pages.create(PAGE)).toEqual({ id: "7", slug: "home" });
    expect(received).toHaveLength(1);
  });

  it("shows the id of a blog, too", async () => {
    const { baseUrl } = await answerWrites({ insertId: 7 });
    expect(await testClient({ baseUrl }).blogs.create({ name: "News" })).toMatchObject({ id: "7" });
  });
});

describe("a failure that is answered with the status 200", () => {
  const WORDS = "The HTML is invalid";

  it.each([
    { code: 400, message: WORDS },
    { status: 422, message: WORDS },
    { statusCode: 422, error: "Unprocessable Entity", message: WORDS },
    { success: 0, message: WORDS },
    { ok: 0, description: WORDS },
    { isSuccess: false, message: WORDS },
    { error: true, message: WORDS },
    { error: WORDS },
    { error: { code: "invalid", message: WORDS } },
    { errors: [{ message: WORDS }], data: null },
    { result: "error", message: WORDS },
    { status: "fail", data: null, message: WORDS },
  ])("%j is a refusal in the host's words", async (body) => {
    const { baseUrl, received } = await answerWrites(body);
    const error = await failure(testClient({ baseUrl }).pages.create(PAGE));
    expect([error.code, received.length]).toEqual(["SERVICE_REFUSED", 1]);
    expect(error.message).toContain(WORDS);
  });

  it("is none beside the page itself", async () => {
    const { baseUrl } = await answerWrites({ data: { id: "7", slug: "home" }, errors: ["the title was cut"] });
    expect(await testClient({ baseUrl }).pages.create(PAGE)).toEqual({ id: "7", slug: "home" });
  });
});
