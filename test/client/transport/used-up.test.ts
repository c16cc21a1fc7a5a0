import { describe, expect, it } from "vitest";
import { failure, testClient } from "../clients.ts";
import { startHost, type Answered } from "../host.ts";

const PAGE = { slug: "home", html: "<title>Home</title>", title: "Home" };
const DONE: Answered = { body: { id: "pg_1", slug: "home", url: "/edit/pg_1" } };

describe("a request that is refused with 429, as if a monthly quota were used up", () => {
  it("isn't repeated once another got nothing but 429 until its time was up", async () => {
    let isUsedUp = true;
    const { baseUrl, received } = await startHost(() => (isUsedUp ? { status: 429 } : DONE));
    const api = testClient({ baseUrl });
    expect((await failure(api.pages.update(PAGE))).code).toBe("RATE_LIMITED");
    const before = received.length;
    expect(before).toBeGreaterThan(5);
    await failure(api.pages.update(PAGE));
    await failure(api.pages.update(PAGE));
    expect(received).toHaveLength(before + 2);
    isUsedUp = false;
    await api.pages.update(PAGE);
    isUsedUp = true;
    await failure(api.pages.update(PAGE));
    expect(received.length).toBeGreaterThan(before + 8);
  });

  it("is repeated after another got 429 and then another response", async () => {
    const answers = [{ status: 429 }, { status: 404 }, { status: 429 }, DONE];
    const { baseUrl, received } = await startHost(() => answers.shift() ?? DONE);
    const api = testClient({ baseUrl });
    await failure(api.pages.update(PAGE));
    await api.pages.update(PAGE);
    expect(received).toHaveLength(4);
  });
});

describe("a request that is refused with 403", () => {
  it("isn't repeated if nothing is left until a time beyond the longest wait", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "18000" };
    const body = { message: "The daily quota is used up." };
    const { baseUrl, received } = await startHost(() => ({ status: 403, headers, body }));
    const error = await failure(testClient({ baseUrl, sleep: async () => {} }).pages.update(PAGE));
    expect(error).toMatchObject({ code: "RATE_LIMITED", message: expect.stringContaining("quota is used up") });
    expect(received).toHaveLength(1);
  });

  it.each([
    ["says when to return", { "retry-after": "2" }, "Forbidden"],
    ["reports that nothing is left", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" }, "Forbidden"],
    ["says so", {}, "API rate limit exceeded"],
  ])("is sent again after a 403 that %s", async (_, headers, message) => {
    const { baseUrl, received } = await startHost((_request, count) =>
      count === 1 ? { status: 403, headers, body: JSON.stringify({ message }) } : DONE,
    );
    await testClient({ baseUrl, sleep: async () => {} }).pages.update(PAGE);
    expect(received).toHaveLength(2);
    const refusing = await startHost(() => ({ status: 403, body: '{"message":"Your key lacks a permission."}' }));
    expect((await failure(testClient({ baseUrl: refusing.baseUrl }).pages.update(PAGE))).code).toBe("KEY_REJECTED");
    expect(refusing.received).toHaveLength(1);
  });
});
