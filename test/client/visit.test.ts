import { expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost } from "./host.ts";

it.each([429, 503])("a public address that returns %d is read again, after the requested time", async (status) => {
  const { baseUrl } = await startHost((_, count) =>
    count === 1 ? { status, headers: { "retry-after": "2" }, body: "Later" } : { body: "Hello" },
  );
  const waits: number[] = [];
  const api = testClient({ baseUrl, sleep: async (ms) => void waits.push(ms) });
  const visit = await api.visit(`${baseUrl}/p/index`);
  expect([visit?.status, String(Buffer.from(visit?.bytes ?? []))]).toEqual([200, "Hello"]);
  expect(waits).toEqual([expect.closeTo(2000, -3)]);
});

it("a host that blocks a reader permanently causes one wait, and not one per address", async () => {
  const { baseUrl, received } = await startHost(() => ({ status: 429, headers: { "retry-after": "25" } }));
  const api = testClient({ baseUrl });
  for (const slug of ["one", "two"]) expect(await api.visit(`${baseUrl}/p/${slug}`)).toMatchObject({ status: 429 });
  expect(received.map(({ path }) => path)).toEqual(["/p/one", "/p/one", "/p/one", "/p/two"]);
});

it("a host that reports an error isn't asked again", async () => {
  const { baseUrl, received } = await startHost(() => ({ status: 500 }));
  expect(await testClient({ baseUrl }).visit(`${baseUrl}/p/one`)).toMatchObject({ status: 500 });
  expect(received).toHaveLength(1);
});

it.each([
  [{ "x-frame-options": "DENY" }, "frame-ancestors 'none'"],
  [{ "x-frame-options": "DENY", "content-security-policy": "img-src *" }, "img-src *, frame-ancestors 'none'"],
  [{ "x-frame-options": "DENY", "content-security-policy": "frame-ancestors *" }, "frame-ancestors *"],
  [{ "x-frame-options": "ALLOWALL" }, undefined],
  [{}, undefined],
])("the headers %j of a page are read as the policy %j", async (headers, policy) => {
  const { baseUrl } = await startHost(() => ({ body: "Hello", headers }));
  expect((await testClient({ baseUrl }).visit(`${baseUrl}/p/one`))?.policy).toBe(policy);
});
