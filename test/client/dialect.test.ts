import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { dialectSchema } from "../../src/contract/dialect.ts";
import { failure, testClient } from "./clients.ts";
import { startHost, type Answered, type Received } from "./host.ts";

// Other hosts, each written from the specification alone: they share none of our protocol decisions.

const PAGE = { slug: "home", html: "<title>Home</title>", title: "Home", siteId: "7", description: "Start" };
const FILE = { name: "a.png", contentType: "image/png", bytes: Buffer.from("png") };
const POST = { slug: "first", title: "First", html: "<p>1", excerpt: "One", tags: ["a"] };

async function partsOf({ headers, body }: Received): Promise<Readonly<Record<string, "file" | "text">>> {
  const form = await new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
  return Object.fromEntries([...form].map(([name, value]) => [name, value instanceof File ? "file" : "text"]));
}

function jsonOf(request: Received | undefined): Record<string, unknown> {
  return JSON.parse(String(request?.body));
}

function recordingLogger() {
  const warnings: string[] = [];
  return { warnings, logger: { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) } };
}

const isMultipart = ({ headers }: Received) => headers["content-type"]?.startsWith("multipart/") === true;

describe("a library that expects another part name for files", () => {
  it.each([
    ["image", { error: "Expected part image" }, 2],
    ["files[]", { message: "Missing field 'files[]'" }, 2],
    ["photo", { message: 'Missing part "photo".' }, 2],
    ["upload", { detail: [{ loc: ["body", "upload"], msg: "Field required" }] }, 2],
    ["asset", { missing: ["asset"] }, 2],
    ["image", "No file", 4],
    ["media", { error: "Bad Request" }, 7],
  ] as const)("gets the file in the part %s after the error %j", async (part, body, requests) => {
    const { warnings, logger } = recordingLogger();
    const { baseUrl, received } = await startHost(async (request) => {
      const isThere = part in (await partsOf(request));
      return isThere ? { status: 201, body: { id: 5, url: "/f/a.png" } } : { status: 400, body };
    });
    const api = testClient({ baseUrl, logger });
    expect(await api.assets.upload(FILE)).toMatchObject({ id: "5", url: `${baseUrl}/f/a.png` });
    expect(received).toHaveLength(requests);
    await api.assets.upload(FILE);
    expect(received).toHaveLength(requests + 1);
    expect(api.dialect.filePart).toBe(part);
    expect(warnings).toEqual([`${baseUrl} accepts files as the part "${part}". imprint uses that from now on.`]);
  });

  it("is probed once, however many files are uploaded at a time", async () => {
    const { baseUrl, received } = await startHost(async (request) =>
      "image" in (await partsOf(request)) ? { body: { id: "1", url: "/a" } } : { status: 400, body: {} },
    );
    const api = testClient({ baseUrl });
    await Promise.all(Array.from({ length: 8 }, () => api.assets.upload(FILE)));
    expect(received).toHaveLength(3 + 8);
  });

  it("is known from an earlier run", async () => {
    const { baseUrl, received } = await startHost(() => ({ body: { id: "1", url: "/a" } }));
    await testClient({ baseUrl, dialect: { filePart: "image" } }).assets.upload(FILE);
    expect(received).toHaveLength(1);
    expect(received[0] && (await partsOf(received[0]))).toEqual({ image: "file" });
  });

  it.each([
    { status: 415, body: { error: "Unsupported type image/svg+xml" } },
    { status: 422, body: { error: "Only images of the types png and jpg" } },
    { status: 400, body: { message: "File too large" } },
  ])("isn't probed again if it rejects the file itself with %j", async (answer) => {
    const { baseUrl, received } = await startHost(() => answer);
    const error = await failure(testClient({ baseUrl }).assets.upload(FILE));
    expect(error.code).toBe("SERVICE_REFUSED");
    expect(received).toHaveLength(1);
  });

  it("gets an idempotency key for each request format, the same in every run", async () => {
    const { baseUrl, received } = await startHost(async (request) =>
      "files" in (await partsOf(request)) ? { body: { id: "1", url: "/a" } } : { status: 400, body: {} },
    );
    await testClient({ baseUrl }).assets.upload(FILE, { idempotencyKey: "k" });
    await testClient({ baseUrl, dialect: { filePart: "files" } }).assets.upload(FILE, { idempotencyKey: "k" });
    const keys = received.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys.slice(0, 3)).size).toBe(3);
    expect([keys[0], keys[3]]).toEqual(["k", keys[2]]);
  });
});

describe("a host that expects another request format for pages", () => {
  const created: Answered = { status: 201, body: { id: 12, slug: "home" } };
  const isJson = ({ headers }: Received) => headers["content-type"] === "application/json";
  const isForm = ({ headers }: Received) => headers["content-type"] === "application/x-www-form-urlencoded";

  it.each([
    { routeSet: "a", form: "form", isTaken: isForm, refusal: { status: 415 } },
    {
      ...({ routeSet: "a", form: "multipart", isTaken: isMultipart } as const),
      refusal: { status: 400, body: { error: "multipart/form-data expected" } },
    },
    {
      ...({ routeSet: "a", form: "multipart", isTaken: isMultipart } as const),
      refusal: { status: 422, body: { errors: { html: ["is required"] } } },
    },
    { routeSet: "b", form: "json", isTaken: isJson, refusal: { status: 415 } },
    { routeSet: "b", form: "form", isTaken: isForm, refusal: { status: 400, body: { error: "Bad Request" } } },
  ] as const)("in route set $routeSet gets $form after $refusal", async ({ routeSet, form, isTaken, refusal }) => {
    const { baseUrl, received } = await startHost((request) => (isTaken(request) ? created : refusal));
    const api = testClient({ baseUrl, routeSet });
    expect(await api.pages.update(PAGE)).toMatchObject({ slug: "home", id: "12" });
    expect(api.dialect).toMatchObject({ pageBody: form, pageFields: "all" });
    const before = received.length;
    await api.pages.update(PAGE);
    expect(received).toHaveLength(before + 1);
  });

  it("gets new pages as JSON if it rejects route set B's specified format", async () => {
    const { baseUrl } = await startHost((request) => (isMultipart(request) ? { status: 415 } : created));
    const api = testClient({ baseUrl, routeSet: "b" });
    await api.pages.create(PAGE);
    expect(api.dialect).toMatchObject({ newPageBody: "json" });
    expect(api.dialect.pageBody).toBeUndefined();
  });

  it("gets the HTML as text if it rejects a file", async () => {
    const { baseUrl } = await startHost(async (request) =>
      isMultipart(request) && (await partsOf(request)).html === "text" ? created : { status: 400, body: {} },
    );
    const api = testClient({ baseUrl, routeSet: "b" });
    await api.pages.create(PAGE);
    expect(api.dialect.newPageBody).toBe("multipart-text");
  });

  it("gets pages without the fields that it calls unknown, but with the title", async () => {
    const { baseUrl, received } = await startHost((request) =>
      "description" in jsonOf(request) ? { status: 422, body: { error: "Unknown field: description" } } : created,
    );
    const api = testClient({ baseUrl });
    await api.pages.update(PAGE);
    expect(received.map((request) => Object.keys(jsonOf(request)))).toEqual([
      ["html", "title", "description", "siteId"],
      ["html", "title"],
    ]);
    expect(api.dialect.pageFields).toBe("title");
  });

  it("may reject a field that only a later page has", async () => {
    const { baseUrl } = await startHost((request) =>
      "description" in jsonOf(request) ? { status: 422, body: { error: "Unknown field: description" } } : created,
    );
    const api = testClient({ baseUrl });
    await api.pages.update({ slug: "home", html: "<p>", title: "Home" });
    await api.pages.update(PAGE);
    expect(api.dialect.pageFields).toBe("title");
  });

  it("causes its first error if no format works, and doesn't get every format each time", async () => {
    const { baseUrl, received } = await startHost((_, count) => ({ status: 400, body: { error: `No ${count}` } }));
    const api = testClient({ baseUrl });
    expect((await failure(api.pages.update(PAGE))).message).toContain("No 1.");
    for (let page = 0; page < 3; page++) await failure(api.pages.update(PAGE));
    const before = received.length;
    await failure(api.pages.update(PAGE));
    expect(received).toHaveLength(before + 1);
  });

  it("causes its first error if another format fails differently", async () => {
    const { baseUrl } = await startHost((request) =>
      isJson(request) ? { status: 400, body: { error: "No" } } : { status: 500, body: { error: "Oops" } },
    );
    const error = await failure(testClient({ baseUrl, maxAttempts: 1 }).pages.update(PAGE));
    expect([error.code, error.message]).toEqual(["SERVICE_REFUSED", expect.stringContaining("No.")]);
  });

  it.each([
    ["Slug must be at most 32 characters", 32],
    ["slug: maximum length is 20", 20],
    ["The slug must not be greater than 32 characters.", 32],
    ["slug: Ensure this field has no more than 32 characters.", 32],
    ["slug: size must be between 1 and 32", 32],
    ["The slug has to have 32 characters or fewer", 32],
    ['"slug" length must be less than or equal to 32 characters long', 32],
    ["The slug must have more than 3 characters", undefined],
    ["The slug is longer than 300 characters", undefined],
    ["The title must be at most 32 characters", undefined],
  ])("that returns %j has slugs of at most %j characters", async (error, slugMaxLength) => {
    const { baseUrl } = await startHost(() => ({ status: 422, body: { error } }));
    const api = testClient({ baseUrl });
    await failure(api.pages.update({ ...PAGE, slug: "a".repeat(64) }));
    expect(api.dialect.slugMaxLength).toBe(slugMaxLength);
  });

  it("that rejects the content with a reason gets one request", async () => {
    const body = { errors: [{ field: "title", message: "is too long" }] };
    const { baseUrl, received } = await startHost(() => ({ status: 422, body }));
    expect((await failure(testClient({ baseUrl }).pages.update(PAGE))).message).toContain("title: is too long");
    expect(received).toHaveLength(1);
  });

  it("gets a POST in route set B for a page that PUT doesn't find", async () => {
    const { baseUrl, received } = await startHost(({ method }) =>
      method === "PUT" ? { status: 404, body: { error: "no such page" } } : created,
    );
    const api = testClient({ baseUrl, routeSet: "b" });
    await api.pages.update(PAGE);
    expect(received.map(({ method }) => method)).toEqual(["PUT", "POST"]);
    expect(api.dialect.pagePut).toBe("updates");
  });

  it("causes an error with its message if it can't create a page in route set A", async () => {
    const { baseUrl } = await startHost(() => ({ status: 404, body: { error: "No page called home" } }));
    const error = await failure(testClient({ baseUrl }).pages.create(PAGE));
    expect(error.code).toBe("NOT_SUPPORTED");
    expect(error.message).toContain('404 "No page called home"');
  });
});

describe("a host with other field names", () => {
  it.each(["html", "content", "body"])("gets a post's HTML only as %s if it rejects unknown fields", async (name) => {
    const { baseUrl, received } = await startHost((request) => {
      const unknown = Object.keys(jsonOf(request)).find((field) => field !== name && !(field in REST));
      return unknown === undefined
        ? { status: 201, body: { id: 3 } }
        : { status: 422, body: { message: `Unknown field: ${unknown}` } };
    });
    const { html, ...REST } = POST;
    const api = testClient({ baseUrl });
    expect(await api.posts.create("1", POST, { idempotencyKey: "p" })).toMatchObject({ id: "3" });
    await api.posts.create("1", POST);
    expect(received).toHaveLength(4);
    expect(api.dialect.postBody).toBe(name);
    expect(jsonOf(received.at(-1))).toEqual({ ...REST, [name]: html });
  });

  it("gets a post's text once if three copies are too large", async () => {
    const { baseUrl, received } = await startHost((request) =>
      Object.keys(jsonOf(request)).includes("body") ? { status: 413, body: {} } : { status: 201, body: { id: 3 } },
    );
    const api = testClient({ baseUrl });
    await api.posts.create("1", POST);
    await api.posts.create("1", POST);
    expect(received).toHaveLength(3);
    expect(jsonOf(received.at(-1))).toEqual(POST);
  });

  it("gets a post without the fields that it calls unknown, and with all others", async () => {
    const { baseUrl, received } = await startHost((request) => {
      const extra = Object.keys(jsonOf(request)).filter(
        (field) => !["title", "content", "slug", "tags"].includes(field),
      );
      return extra.length === 0
        ? { status: 201, body: { slug: "first" } }
        : { status: 400, body: { errors: extra.map((field) => ({ path: [field], message: "Unrecognized key" })) } };
    });
    const api = testClient({ baseUrl });
    await api.posts.create("1", POST);
    expect(Object.keys(jsonOf(received.at(-1))).sort()).toEqual(["content", "slug", "tags", "title"]);
    expect(api.dialect).toMatchObject({ postBody: "content", postOmits: ["excerpt"] });
  });

  it("gets only a post's required fields if it doesn't name what it rejects", async () => {
    const { baseUrl } = await startHost((request) =>
      Object.keys(jsonOf(request)).sort().join() === "body,slug,title" ? { status: 204 } : { status: 400, body: {} },
    );
    const api = testClient({ baseUrl });
    expect(await api.posts.create("1", POST)).toMatchObject({ slug: "first" });
    await api.posts.create("1", { ...POST, slug: "second" });
    expect(api.dialect).toMatchObject({ postBody: "body", postOmits: ["excerpt", "tags"] });
  });

  it("gets a post once if it has one with the same slug", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 422, body: { error: "Slug already exists" } }));
    await failure(testClient({ baseUrl }).posts.create("1", POST));
    expect(received).toHaveLength(1);
  });

  it("gets the names of blogs, sites, and brand kits as titles", async () => {
    const { baseUrl } = await startHost((request) =>
      "title" in jsonOf(request)
        ? { status: 201, body: { id: 1 } }
        : { status: 422, body: { errors: { title: "required" } } },
    );
    const api = testClient({ baseUrl });
    expect(await api.blogs.create({ name: "Blog" })).toMatchObject({ id: "1" });
    expect(await api.sites.create({ name: "Site" })).toMatchObject({ id: "1" });
    expect(await api.brandKits.create({ name: "Kit" })).toMatchObject({ id: "1" });
    expect(api.dialect).toEqual({ blogName: "title", siteName: "title", brandKitName: "title" });
  });

  it("has a dialect that can be stored in the lock file", async () => {
    const { baseUrl } = await startHost(() => ({
      status: 201,
      body: { id: 1, slug: "home", url: "https://x.example/home" },
    }));
    const api = testClient({ baseUrl });
    await api.pages.update(PAGE);
    await api.posts.create("1", POST);
    const kept = dialectSchema.parse(JSON.parse(JSON.stringify(api.dialect)));
    expect(kept).toEqual({ pageBody: "json", pageFields: "all", postOmits: [], pagesAt: "https://x.example/{slug}" });
  });
});

describe("the address of pages", () => {
  it("is learned from a list and corrected by the project's own page", async () => {
    const { baseUrl } = await startHost(({ method }) =>
      method === "GET"
        ? { body: [{ slug: "other", url: "https://other.example/other" }] }
        : { body: { slug: "home", publicUrl: "https://x.example/acct/home" } },
    );
    const api = testClient({ baseUrl });
    await api.pages.list();
    expect(api.capabilities.pagesAt).toBe("https://other.example/{slug}");
    await api.pages.update(PAGE);
    expect(api.capabilities).toMatchObject({ pagesAt: "https://x.example/acct/{slug}", pagesUrl: undefined });
  });

  it("is the one set by the caller, which may be a pattern", async () => {
    const { baseUrl, received } = await startHost(({ path }) =>
      path === "/me/home" ? { body: "<p>read", headers: { "content-type": "text/html" } } : { body: { slug: "home" } },
    );
    const api = testClient({ baseUrl, pagesUrl: `${baseUrl}/me/{slug}` });
    expect(await api.pages.readHtml("home")).toBe("<p>read");
    expect(received.map(({ path }) => path)).toEqual(["/api/pages/home", "/me/home"]);
  });
});
