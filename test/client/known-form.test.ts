import { expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost } from "./host.ts";

// The dialect learned in an earlier run saves sending the first page alone.

const SLUGS = ["one", "two", "three", "four"];
const KNOWN = { pageBody: "json", pageFields: "all" } as const;

function page(slug: string) {
  return { slug, html: `<p>${slug}`, title: slug };
}

it("sends all pages at once in the request format that an earlier run learned", async () => {
  const all = Promise.withResolvers<void>();
  const { baseUrl } = await startHost(async ({ path }, count) => {
    if (count === SLUGS.length) all.resolve();
    await all.promise;
    return { body: { slug: path.split("/").at(-1) } };
  });
  const api = testClient({ baseUrl, dialect: KNOWN });
  const pages = await Promise.all(SLUGS.map((slug) => api.pages.update(page(slug))));
  expect(pages.map(({ slug }) => slug)).toEqual(SLUGS);
});

it("learns the format again if the host has changed, and sends each page", async () => {
  const stored: string[] = [];
  const { baseUrl, received } = await startHost(({ path, headers }) => {
    if (headers["content-type"] === "application/json") return { status: 415 };
    stored.push(path);
    return { body: { slug: path.split("/").at(-1) } };
  });
  const api = testClient({ baseUrl, dialect: KNOWN });
  await Promise.all(SLUGS.map((slug) => api.pages.update(page(slug))));
  expect(stored.toSorted()).toEqual(SLUGS.map((slug) => `/api/pages/${slug}`).toSorted());
  expect(api.dialect.pageBody).not.toBe("json");
  const before = received.length;
  await api.pages.update(page("five"));
  expect(received).toHaveLength(before + 1);
});

it("sends the title that a host requires now and refused before", async () => {
  const { baseUrl, received } = await startHost(({ path, body }) =>
    "title" in JSON.parse(body.toString())
      ? { body: { slug: path.split("/").at(-1) } }
      : { status: 422, body: { error: "title is required." } },
  );
  const api = testClient({ baseUrl, dialect: { pageBody: "json", pageFields: "html" } });
  expect(await api.pages.update(page("one"))).toMatchObject({ slug: "one" });
  expect(received).toHaveLength(2);
  expect(api.dialect.pageFields).toBe("title");
});
