import { expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost, type Received } from "./host.ts";

// A host can't change a post that it has, so none is sent without a field that the host may accept.

const POST = { slug: "first", title: "First", html: "<p>1", excerpt: "One", tags: ["C#"] };
const STORED = { status: 201, body: { slug: "first" } };

function fieldsOf({ body }: Received): Record<string, unknown> {
  return JSON.parse(String(body));
}

it.each([
  { errors: [{ field: "tags[0]", message: "Tags must be lower-case letters" }] },
  { errors: [{ path: ["tags", 0], message: "C# is not allowed" }] },
  { error: "tags: must have at most 5 items" },
  { error: "Tags must be lower-case letters" },
  { errors: [{ field: "tags", message: "unknown tag: C#" }] },
  { errors: [{ field: "tags", message: "C# does not exist" }] },
  { errors: [{ field: "tags", message: "not allowed: C#" }] },
  { errors: [{ field: "tags", message: "contains unsupported characters" }] },
])("sends no post without a field whose value the host rejects with %j", async (body) => {
  const { baseUrl, received } = await startHost((request) =>
    fieldsOf(request)["tags"] === undefined ? STORED : { status: 422, body },
  );
  const api = testClient({ baseUrl });
  const hint = expect.stringContaining('`dialect: { postOmits: ["tags"] }`');
  await expect(api.posts.create("1", POST)).rejects.toMatchObject({
    message: expect.stringMatching(/tags|not allowed/i),
    hint,
  });
  expect(received).toHaveLength(1);
  expect(api.dialect.postOmits).toBeUndefined();
});

it("omits only one field of posts if that is enough for a host that doesn't name the rejected one", async () => {
  const { baseUrl, received } = await startHost((request) =>
    fieldsOf(request)["tags"] === undefined ? STORED : { status: 400, body: {} },
  );
  const api = testClient({ baseUrl });
  await api.posts.create("1", POST);
  expect(received.map(fieldsOf).at(-1)).toMatchObject({ title: "First", excerpt: "One" });
  const before = received.length;
  await api.posts.create("1", { ...POST, slug: "second" });
  expect(received).toHaveLength(before + 2);
  expect(api.dialect).toMatchObject({ postOmits: ["tags"] });
});

it("sends the other posts in full if the host rejects a value of the first one without a reason", async () => {
  const { baseUrl, received } = await startHost((request) =>
    JSON.stringify(fieldsOf(request)).includes("C#") ? { status: 422, body: { error: "Validation failed" } } : STORED,
  );
  const api = testClient({ baseUrl });
  await api.posts.create("1", POST);
  for (const slug of ["second", "third"]) await api.posts.create("1", { ...POST, slug, tags: ["rust"] });
  const sent = received.map(fieldsOf);
  expect(sent.slice(-2)).toMatchObject([{ tags: ["rust"] }, { tags: ["rust"] }]);
  expect(api.dialect).toMatchObject({ postOmits: [] });
});

it("tries the forms of a post once if the host rejects all of them in the same words, also in later runs", async () => {
  const { baseUrl, received } = await startHost(() => ({ status: 422, body: { error: "Validation failed" } }));
  const countOf = async (api: ReturnType<typeof testClient>, slug: string) => {
    const before = received.length;
    await expect(api.posts.create("1", { ...POST, slug })).rejects.toThrow("Validation failed");
    return received.length - before;
  };
  const first = testClient({ baseUrl });
  expect(await countOf(first, "first")).toBeGreaterThan(1);
  const later = testClient({ baseUrl, dialect: first.dialect });
  expect([await countOf(later, "first"), await countOf(later, "second")]).toEqual([1, 1]);
});

it("tries the forms of a blog although the host rejected posts in the same words", async () => {
  const { baseUrl } = await startHost((request) =>
    "title" in fieldsOf(request) && request.path === "/api/blogs"
      ? { status: 201, body: { id: "1" } }
      : { status: 422, body: { error: "Validation failed" } },
  );
  const first = testClient({ baseUrl });
  await expect(first.posts.create("1", POST)).rejects.toThrow("Validation failed");
  const later = testClient({ baseUrl, dialect: first.dialect });
  expect(await later.blogs.create({ name: "Notes" })).toMatchObject({ id: "1" });
});

it("tries the forms of a post again if the host rejects it in other words", async () => {
  let words = "Validation failed";
  const { baseUrl } = await startHost((request) =>
    words === "Validation failed" || fieldsOf(request)["tags"] !== undefined
      ? { status: 422, body: { error: words } }
      : STORED,
  );
  const first = testClient({ baseUrl });
  await expect(first.posts.create("1", POST)).rejects.toThrow("Validation failed");
  words = "Bad request";
  await testClient({ baseUrl, dialect: first.dialect }).posts.create("1", POST);
});

it("sends the titles of the other pages if the host rejects that of the first one without a reason", async () => {
  const { baseUrl, received } = await startHost(({ method, body, path }) =>
    method === "PUT" && String(body).includes("Too long")
      ? { status: 422, body: { error: "Validation failed" } }
      : { body: { id: "pg_1", slug: path.split("/").at(-1), url: `/p/${path.split("/").at(-1)}` } },
  );
  const api = testClient({ baseUrl, routeSet: "b" });
  const page = (slug: string, title: string) => ({ slug, title, html: `<title>${title.slice(0, 3)}</title>` });
  await api.pages.update(page("one", "Too long"));
  for (const slug of ["two", "three"]) await api.pages.update(page(slug, "Short"));
  expect(received.slice(-2).map(({ body }) => String(body))).toEqual([
    expect.stringContaining("Short"),
    expect.stringContaining("Short"),
  ]);
  expect(api.dialect.pageFields).toBe("all");
});

it.each([
  { error: `The field "primaryColor" is required.` },
  { error: "primary_color can't be blank" },
  { errors: [{ field: "primaryColor", message: "Required" }] },
])("sends a brand kit once to a host that requires an unknown field, with %j", async (body) => {
  const { baseUrl, received } = await startHost(() => ({ status: 422, body }));
  const api = testClient({ baseUrl });
  const kit = { name: "Kit", colors: [], fonts: [], logos: [] };
  await expect(api.brandKits.create(kit)).rejects.toThrow(/primary/);
  expect(received).toHaveLength(1);
});

it("omits no field of posts that the host doesn't name if it accepted the field in an earlier run", async () => {
  let answer: { readonly status: number; readonly body: object } = STORED;
  const { baseUrl, received } = await startHost(() => answer);
  const first = testClient({ baseUrl });
  await first.posts.create("1", POST);
  answer = { status: 400, body: { error: "Validation failed" } };
  const later = testClient({ baseUrl, dialect: first.dialect });
  await expect(later.posts.create("1", POST)).rejects.toThrow("Validation failed");
  for (const request of received) expect(fieldsOf(request)).toMatchObject({ excerpt: "One", tags: POST.tags });
});

it.each([
  ["does not exist", undefined],
  ["is not recognized", undefined],
  ["unknown field", ["tags"]],
  ["tags is not allowed", ["tags"]],
])("after an earlier run's post with tags, %j about them makes it omit %j", async (message, omits) => {
  const body = { errors: [{ field: "tags", message }] };
  const { baseUrl, received } = await startHost((request) =>
    received.length < 2 || fieldsOf(request)["tags"] === undefined ? STORED : { status: 422, body },
  );
  const first = testClient({ baseUrl });
  await first.posts.create("1", POST);
  const later = testClient({ baseUrl, dialect: first.dialect });
  const result = await later.posts.create("1", { ...POST, slug: "second" }).catch((error: unknown) => error);
  expect(result instanceof Error).toBe(omits === undefined);
  expect(received).toHaveLength(omits === undefined ? 2 : 3);
  expect(later.dialect.postOmits).toEqual(omits ?? []);
});

it("sends the titles of further pages if the host rejects that of one, after it accepted others", async () => {
  const { baseUrl, received } = await startHost(({ body }) =>
    String(body).includes("Fish")
      ? { status: 422, body: { errors: [{ field: "title", message: "is not supported" }] } }
      : { body: { id: "pg_1", slug: "one", url: "/p/one" } },
  );
  const page = (title: string) => ({ slug: "one", title, html: `<title>${title}</title>` });
  const first = testClient({ baseUrl, routeSet: "b" });
  await first.pages.update(page("One"));
  for (const api of [first, testClient({ baseUrl, routeSet: "b", dialect: first.dialect })]) {
    await expect(api.pages.update(page("Fish"))).rejects.toThrow("is not supported");
    await api.pages.update(page("Two"));
    expect(String(received.at(-1)?.body)).toContain('name="title"\r\n\r\nTwo');
    expect(api.dialect.pageFields).toBe("all");
  }
});
