import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImprintError } from "../../../src/base/error.ts";
import { parseBrandKit, parseExtractedKit } from "../../../src/client/records/brand-kit.ts";
import { parseBlog, parsePost } from "../../../src/client/records/blog-records.ts";
import { parseAsset, parsePage, parseSite, parseWrittenPage } from "../../../src/client/records/records.ts";
import { isBareReply } from "../../../src/client/records/read-record.ts";

const CONTEXT = { baseUrl: "https://pages.example.org/v1", from: "GET /api/things", redact: (text: string) => text };
const HASH = "a".repeat(64);

describe("a page", () => {
  it.each([
    ["without a wrapper", { slug: "home", id: "pg_1", title: "Home" }],
    ["in data", { data: { slug: "home", id: "pg_1", title: "Home" } }],
    ["under its name", { ok: true, page: { slug: "home", id: "pg_1", title: "Home" } }],
    ["twice wrapped", { data: { page: { slug: "home", id: "pg_1", title: "Home" } } }],
    ["in JSON:API", { data: { id: "pg_1", type: "page", attributes: { slug: "home", title: "Home" } } }],
    ["in a list of one", { data: [{ slug: "home", id: "pg_1", title: "Home" }] }],
    ["with a number as id", { slug: "home", pageId: 1, title: "Home", version: null }],
  ])("is found %s", (_, json) => {
    expect(parsePage(json, CONTEXT)).toMatchObject({
      slug: "home",
      title: "Home",
      id: expect.stringMatching(/^(?:pg_)?1$/),
    });
  });

  it("keeps the service's fields, in camel case or snake case", () => {
    const json = {
      slug: "home",
      url: "/edit/pg_1",
      public_url: "https://p.example.org/p/home",
      content_hash: `sha256:${HASH.toUpperCase()}`,
      site_id: 7,
      version: "3",
      created_at: "2026-08-01 10:00:00",
      updatedAt: 1_785_578_400,
    };
    expect(parsePage(json, CONTEXT)).toEqual({
      slug: "home",
      url: "/edit/pg_1",
      publicUrl: "https://p.example.org/p/home",
      contentHash: HASH,
      siteId: "7",
      version: 3,
      createdAt: new Date("2026-08-01T10:00:00Z"),
      updatedAt: new Date("2026-08-01T10:00:00Z"),
    });
  });

  it.each(["2026-08-01T12:00:00+02:00", "2026-08-01 10:00:00 +0000 UTC", "Sat, 01 Aug 2026 10:00:00 GMT"])(
    "was changed at %s",
    (updatedAt) => {
      expect(parsePage({ slug: "home", updatedAt }, CONTEXT).updatedAt).toEqual(new Date("2026-08-01T10:00:00Z"));
    },
  );

  it.each([
    [{ status: "published", deletedAt: "2026-08-01 10:00:00" }, "deleted"],
    [{ deleted_at: 1_785_578_400 }, "deleted"],
    [{ status: "draft", isDeleted: true }, "deleted"],
    [{ status: "Trashed" }, "Trashed"],
    [{ status: "published", archived: "1" }, "archived"],
    [{ status: "published", isPublished: 0 }, "unpublished"],
    [{ draft: true }, "draft"],
    [{ status: "published", deletedAt: null, deleted: "0", isDraft: 0, published: "1" }, "published"],
    [{ state: "live", deleted_at: "0000-00-00 00:00:00", archivedAt: 0, trashed: false }, "live"],
  ])("with %j has the status %s", (fields, status) => {
    expect(parsePage({ slug: "home", ...fields }, CONTEXT).status).toBe(status);
    expect(parsePost({ slug: "first", ...fields }, CONTEXT).status).toBe(status);
  });

  it("without a slug is an error that names the missing field and the received ones", () => {
    const read = () => parsePage({ id: "pg_1", name: "Home" }, CONTEXT);
    expect(read).toThrow("The response to GET /api/things contains no page with a slug; its fields are id, name.");
  });

  it("may be missing, or have no slug, in the response to its write", () => {
    const context = { ...CONTEXT, sentSlug: "home", status: 200 };
    expect(parseWrittenPage(undefined, context)).toEqual({ slug: "home" });
    expect(parseWrittenPage({ success: true, error: null }, context)).toEqual({ slug: "home" });
    expect(parseWrittenPage({ data: { id: "pg_1" } }, context)).toMatchObject({ slug: "home", id: "pg_1" });
    expect(parseWrittenPage({ slug: "home-2" }, context)).toMatchObject({ slug: "home-2" });
    for (const json of [{ error: "quota" }, { success: false }, { ok: false }]) {
      expect(() => parseWrittenPage(json, context)).toThrow("contains no page");
    }
  });
});

describe("a post in an envelope", () => {
  it.each([
    ["result", { ok: true, result: { id: "po_1", slug: "first" } }],
    ["data", { success: true, data: { id: "po_1", slug: "first" } }],
    ["both", { status: "ok", data: { result: { id: "po_1", slug: "first" } } }],
    ["its name, in a result", { ok: true, result: { post: { id: "po_1", slug: "first" } } }],
    ["result, beside the response's metadata", { ok: true, id: "req_7", url: "/requests/7", result: [{ id: "po_1" }] }],
  ])("is found in %s", (_, json) => {
    expect(isBareReply(json)).toBe(false);
    expect(parsePost(json, CONTEXT)).toMatchObject({ id: "po_1" });
  });

  it("isn't found in a response that only reports success or describes something else", () => {
    for (const json of [
      { ok: true, result: { status: "created" } },
      { success: true, errors: [], messages: [], result: null },
      { ok: true, result: {} },
    ]) {
      expect(isBareReply(json)).toBe(true);
    }
    const other = { ok: true, id: "req_7", result: { quota: { left: 3 } } };
    expect(isBareReply(other)).toBe(false);
    expect(() => parsePost(other, CONTEXT)).toThrow("no post with an ID");
  });
});

describe("an asset", () => {
  it.each([
    [{ id: "as_1", url: "https://cdn.example.org/a.png" }, "https://cdn.example.org/a.png"],
    [{ assetId: "as_1", src: "/files/a.png" }, "https://pages.example.org/files/a.png"],
    [{ data: [{ asset_id: "as_1", href: "//cdn.example.org/a.png" }] }, "https://cdn.example.org/a.png"],
    [{ file: { id: "as_1", public_url: "https://cdn.example.org/a.png" } }, "https://cdn.example.org/a.png"],
  ])("%j has the complete address %s", (json, url) => {
    expect(parseAsset(json, CONTEXT)).toMatchObject({ id: "as_1", url });
  });

  it("without an address, or with one that browsers don't load, is an error", () => {
    for (const json of [
      { id: "as_1" },
      { id: "as_1", url: "javascript:alert(1)" },
      { url: "https://x.example/a.png" },
    ]) {
      expect(() => parseAsset(json, CONTEXT)).toThrow("no asset with an ID and an address");
    }
  });

  it("ignores an invalid content type, and accepts only a SHA-256 as its hash", () => {
    const json = {
      id: 1,
      url: "/a",
      type: "image/png",
      hash: "d41d8cd98f00b204e9800998ecf8427e",
      bytes: 12,
      filename: "a.png",
    };
    expect(parseAsset(json, CONTEXT)).toMatchObject({
      contentType: "image/png",
      hash: undefined,
      size: 12,
      name: "a.png",
    });
    expect(parseAsset({ ...json, type: "image" }, CONTEXT).contentType).toBeUndefined();
  });
});

it("a site, a blog, and a post are found under the id fields that services use", () => {
  expect(parseSite({ siteId: "st_1", name: "Site" }, CONTEXT)).toMatchObject({ id: "st_1", name: "Site" });
  expect(parseBlog({ blog: { blogId: "bl_1" } }, CONTEXT)).toMatchObject({ id: "bl_1" });
  expect(parsePost({ post_id: 12, slug: "first", published_at: "2026-08-01" }, CONTEXT)).toMatchObject({
    id: "12",
    slug: "first",
    publishedAt: new Date("2026-08-01T00:00:00Z"),
  });
  expect(() => parseSite({ name: "Site" }, CONTEXT)).toThrow("no site with an ID");
  expect(() => parsePost({ ok: true }, CONTEXT)).toThrow("no post with an ID, a slug or an address");
});

it("a brand kit is read from lists and from maps, with colors in one notation", () => {
  const kit = parseBrandKit(
    {
      kitId: "bk_1",
      colors: { primary: "#ABC", accent: { value: "0A2540" }, broken: "red" },
      fonts: ["Inter", { name: "Lora", usage: "heading", weights: [400, "x"] }],
      logos: [{ src: "https://x.example/l.svg", type: "icon" }, "https://x.example/m.svg"],
    },
    CONTEXT,
  );
  expect(kit).toEqual({
    id: "bk_1",
    colors: [
      { role: "primary", hex: "#aabbcc" },
      { role: "accent", hex: "#0a2540" },
    ],
    fonts: [
      { family: "Inter", role: "text" },
      { family: "Lora", role: "heading", weights: [400] },
    ],
    logos: [
      { kind: "icon", url: "https://x.example/l.svg" },
      { kind: "logo", url: "https://x.example/m.svg" },
    ],
  });
  expect(parseExtractedKit({ data: { colors: [] } }, CONTEXT)).toMatchObject({ colors: [], fonts: [], logos: [] });
});

describe("whatever a service sends,", () => {
  const parsers = { parsePage, parseSite, parseAsset, parseBlog, parsePost, parseBrandKit, parseExtractedKit };
  const names = [
    "id",
    "slug",
    "url",
    "data",
    "page",
    "site",
    "title",
    "colors",
    "createdAt",
    "__proto__",
    "constructor",
  ];
  const record = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue({ maxDepth: 2 }),
      tie("record"),
      fc.array(tie("record"), { maxLength: 2 }),
    ),
    record: fc.dictionary(fc.constantFrom(...names), tie("value")),
  })).value;

  it.each(Object.entries(parsers))("%s returns a record or throws an ImprintError", (_, parse) => {
    fc.assert(
      fc.property(record, (json) => {
        expect(outcomeOf(() => parse(json, CONTEXT))).toMatch(/^(?:object|RESPONSE_UNREADABLE)$/);
      }),
      { numRuns: 300 },
    );
  });

  it("a page of our own service is unchanged in a wrapper", () => {
    const page = fc.record({
      slug: fc.stringMatching(/^[a-z0-9]{1,20}$/),
      id: fc.stringMatching(/^pg_[a-z0-9]{22}$/),
      title: fc.stringMatching(/^\S.{0,40}$/),
      version: fc.nat(),
      contentHash: fc.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
    });
    fc.assert(
      fc.property(page, fc.constantFrom("data", "page", "result"), (expected, wrapper) => {
        const json: unknown = JSON.parse(JSON.stringify({ [wrapper]: expected }));
        expect(parsePage(json, CONTEXT)).toEqual(expected);
      }),
    );
  });
});

function outcomeOf(parse: () => unknown): string {
  try {
    return typeof parse();
  } catch (error) {
    return error instanceof ImprintError ? error.code : String(error);
  }
}
