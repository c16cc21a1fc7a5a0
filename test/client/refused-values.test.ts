import { expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost, type Received } from "./host.ts";

// A host can't change a post that it has, so none is sent without a field that the host only finds a fault with.

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
])("sends no post without a field whose value the host refuses with %j", async (body) => {
  const { baseUrl, received } = await startHost((request) =>
    fieldsOf(request)["tags"] === undefined ? STORED : { status: 422, body },
  );
  const api = testClient({ baseUrl });
  await expect(api.posts.create("1", POST)).rejects.toThrow(/tags|not allowed/i);
  expect(received).toHaveLength(1);
  expect(api.dialect.postOmits).toBeUndefined();
});

it("leaves only one field out of posts where that is enough for a host that doesn't say which it refuses", async () => {
  const { baseUrl, received } = await startHost((request) =>
    fieldsOf(request)["tags"] === undefined ? STORED : { status: 400, body: {} },
  );
  const api = testClient({ baseUrl });
  await api.posts.create("1", POST);
  expect(received.map(fieldsOf).at(-1)).toMatchObject({ title: "First", excerpt: "One" });
  expect(api.dialect).toMatchObject({ postOmits: ["tags"] });
});

it("leaves no field out of posts that the host doesn't name, once it has accepted one in an earlier run", async () => {
  let answer: { readonly status: number; readonly body: object } = STORED;
  const { baseUrl, received } = await startHost(() => answer);
  const first = testClient({ baseUrl });
  await first.posts.create("1", POST);
  answer = { status: 400, body: { error: "Validation failed" } };
  const later = testClient({ baseUrl, dialect: first.dialect });
  await expect(later.posts.create("1", POST)).rejects.toThrow("Validation failed");
  for (const request of received) expect(fieldsOf(request)).toMatchObject({ excerpt: "One", tags: POST.tags });
});
