import { describe, expect, it } from "vitest";
import { failure, testClient, testConnect } from "./clients.ts";
import { startHost } from "./host.ts";

describe("a service that answers an empty list with 404", () => {
  it.each([
    { error: { message: "No pages found" } },
    { message: "There are no pages yet." },
    { error: "not_found", message: "No matching records" },
    { status: 404, title: "Not Found", detail: "No published pages in this account" },
  ])("has no pages if it says so: %j", async (body) => {
    const { baseUrl } = await startHost(() => ({ status: 404, body }));
    expect((await testClient({ baseUrl }).pages.list()).items).toEqual([]);
  });

  it.each([
    { error: "Not Found" },
    { message: "Cannot GET /api/pages" },
    { error: { message: "No such page" } },
    { message: "No route found for GET /api/pages" },
    { message: "Page not found" },
    undefined,
  ])("is an error if the route may be missing: %j", async (body) => {
    const { baseUrl } = await startHost(() => ({ status: 404, body }));
    expect(await failure(testClient({ baseUrl }).pages.list())).toMatchObject({ code: "SERVICE_WRONG_ADDRESS" });
  });

  it("is recognized as a service, and its route set by the library's list", async () => {
    const messages: Readonly<Record<string, string>> = {
      "/api/pages": "No pages found",
      "/api/assets": "No files yet",
    };
    const answer = (path: string) => ({ status: 404, body: { message: messages[path] ?? "Not Found" } });
    const { baseUrl } = await startHost(({ path }) => answer(path));
    const api = await testConnect({ baseUrl });
    expect(api.capabilities.routeSet).toBe("b");
    expect((await api.assets.list()).items).toEqual([]);
  });

  it("still lacks a page that isn't there", async () => {
    const { baseUrl } = await startHost(() => ({ status: 404, body: { message: "No pages found" } }));
    expect(await testClient({ baseUrl }).pages.read("about")).toBeUndefined();
  });
});
