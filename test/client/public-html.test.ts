import { expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost, type Received } from "./host.ts";

// A host whose API returns no HTML at first. With `isShown`, it starts to.

async function startHidingHost({
  routeSet,
  holds = false,
}: {
  readonly routeSet: "a" | "b";
  readonly holds?: boolean;
}) {
  const html = "<!doctype html><title>One</title>";
  const both = Promise.withResolvers<void>();
  const now = { isShown: false };
  const answer = async ({ path }: Received, count: number) => {
    // Both requests must be sent before either response arrives.
    if (count % 2 === 0) both.resolve();
    if (holds) await both.promise;
    if (path.startsWith("/p/")) return { headers: { "content-type": "text/html" }, body: html };
    if (routeSet === "b") return now.isShown ? { body: html } : { status: 404 };
    return { headers: { etag: '"7"' }, body: { slug: "one", ...(now.isShown && { html }) } };
  };
  return { ...(await startHost(answer)), html, now };
}

it.each(["a", "b"] as const)(
  "reads page and public address in parallel on a host that showed HTML only there: route set %s",
  async (routeSet) => {
    const { baseUrl, html } = await startHidingHost({ routeSet, holds: true });
    const api = testClient({ baseUrl, routeSet, pagesUrl: baseUrl, dialect: { htmlAt: "public" } });
    const expected = routeSet === "a" ? { html, etag: '"7"' } : { html };
    expect(await api.pages.read("one")).toEqual(expected);
  },
);

it.each(["a", "b"] as const)(
  "learns where a host shows the HTML, and when that changes: route set %s",
  async (routeSet) => {
    const { baseUrl, html, received, now } = await startHidingHost({ routeSet });
    const api = testClient({ baseUrl, routeSet, pagesUrl: baseUrl });
    expect(await api.pages.readHtml("one")).toBe(html);
    expect(api.dialect.htmlAt).toBe("public");
    now.isShown = true;
    expect(await api.pages.readHtml("one")).toBe(html);
    expect(api.dialect.htmlAt).toBeUndefined();
    await expect.poll(() => received.length).toBe(4);
    expect(await api.pages.readHtml("one")).toBe(html);
    expect(received).toHaveLength(5);
  },
);

it.each(["", null])("reads the public page if the API shows %j as the HTML of a page", async (html) => {
  const shown = "<!doctype html><title>One</title>";
  const { baseUrl } = await startHost(({ path }) =>
    path.startsWith("/p/")
      ? { headers: { "content-type": "text/html" }, body: shown }
      : { body: { id: "pg_1", slug: "one", html, url: "/edit/pg_1" } },
  );
  const api = testClient({ baseUrl, pagesUrl: baseUrl });
  expect(await api.pages.readHtml("one")).toBe(shown);
});
