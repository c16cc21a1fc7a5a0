import { describe, expect, it } from "vitest";
import { failure, testClient } from "../clients.ts";
import { startHost, type Answered } from "../host.ts";
import { seededRandom } from "../seeded-random.ts";

const PAGES = 1000;
const FAULTS: readonly Answered[] = [
  { status: 500, body: "Internal error" },
  { status: 503, body: "Overloaded" },
  { status: 503, headers: { "retry-after": "1" } },
  { status: 429, headers: { "retry-after": "1" } },
  { status: 429, body: { title: "Slow down." } },
];

/** An independent host: it stores pages, and responds to a share of its requests with one of the faults. */
async function startFaultyHost(share: number) {
  const next = seededRandom(11);
  const stored = new Set<string>();
  let faults = 0;
  const { baseUrl, received } = await startHost(({ path }) => {
    const slug = path.split("/").at(-1) ?? "";
    if (next() < share) {
      faults += 1;
      return FAULTS[Math.floor(next() * FAULTS.length)] ?? {};
    }
    stored.add(slug);
    return { body: { id: `pg_${slug}`, slug, url: `/edit/${slug}` } };
  });
  return { baseUrl, received, stored, countFaults: () => faults };
}

function updatePages(api: ReturnType<typeof testClient>, count: number) {
  return Promise.all(
    Array.from({ length: count }, (_, number) => api.pages.update({ slug: `page-${number}`, html: "<p>", title: "" })),
  );
}

describe("publishing to a host with random faults", () => {
  it.each([0, 0.01, 0.05])("delays only the failed requests at a share of %d", async (share) => {
    const host = await startFaultyHost(share);
    const waits: number[] = [];
    const api = testClient({ baseUrl: host.baseUrl, sleep: async (ms) => void waits.push(ms) });
    await updatePages(api, PAGES);
    expect(host.stored.size).toBe(PAGES);
    expect(host.received).toHaveLength(PAGES + host.countFaults());
    // One wait for each fault: none delayed another request.
    expect(waits).toHaveLength(host.countFaults());
    expect(api.concurrency).toBeGreaterThanOrEqual(16);
  });

  it("backs off from a host that is down, and ends with an error after the allowed attempts", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 503, body: { title: "Down for maintenance." } }));
    const api = testClient({ baseUrl });
    const error = await failure(updatePages(api, 40));
    expect([error.code, error.message]).toEqual([
      "SERVICE_FAILED",
      expect.stringContaining("(503). Down for maintenance."),
    ]);
    await expect.poll(() => received.length).toBe(40 * 5);
    expect(api.concurrency).toBe(2);
  });

  it("names the time that a host asks for, if it is too long to wait", async () => {
    const { baseUrl } = await startHost(() => ({ status: 503, headers: { "retry-after": "3600" } }));
    const { message } = await failure(testClient({ baseUrl }).pages.list());
    expect(message).toContain("(503), and asks imprint to wait for 3600 s.");
  });
});
