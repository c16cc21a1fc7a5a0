import { describe, expect, it } from "vitest";
import { signIn } from "./dashboard/signed-in.ts";
import { clientOf, openService, visit } from "./open-service.ts";

const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse("2026-03-01T10:00:00Z");

/** A service with a clock that the test sets, in hours from the service's start. */
function openClock() {
  let now = new Date(START);
  const service = openService({ now: () => now });
  const set = (hours: number) => {
    now = new Date(START + hours * HOUR_MS);
  };
  return { service, set, send: clientOf(service, { routeSet: "a" }) };
}

// Back an hour, as at the end of daylight saving time on a misconfigured machine, and forward a day.
describe.each([
  ["back by an hour", -1],
  ["forward by a day less a minute", 24 - 1 / 60],
])("when the clock jumps %s", (_, hours) => {
  it("a browser stays signed in, before and after", async () => {
    const { service, set } = openClock();
    const { get } = await signIn(service);
    const statuses: number[] = [];
    for (const at of [hours, 0, hours]) {
      set(at);
      statuses.push((await get("/pages")).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  it("a request with the same idempotency key gets the same response", async () => {
    const { send, set } = openClock();
    const create = () =>
      send("POST", "/api/webhooks", {
        json: { url: "https://example.org/hook", events: ["page.published"] },
        headers: { "Idempotency-Key": "one" },
      });
    const first = await create();
    set(hours);
    const second = await create();
    expect([first.status, second.status, second.body["id"]]).toEqual([201, 201, first.body["id"]]);
    expect((await send("GET", "/api/webhooks")).items).toHaveLength(1);
  });

  it("no data expires early, and jobs resume once the clock is correct", async () => {
    const { service, send, set } = openClock();
    await send("PUT", "/api/pages/one", { json: { html: "<!doctype html><form method=post><input name=a></form>" } });
    const body = new URLSearchParams({ a: "1" });
    await visit(service, "/p/one", { method: "POST", body, headers: { Origin: service.pagesUrl } });
    const before = await send("GET", "/api/events");
    await service.runJobs();
    set(hours);
    await service.runJobs();
    set(0);
    expect((await send("GET", "/api/events")).items).toEqual(before.items);
    expect((await visit(service, "/p/one")).status).toBe(200);
    set(2);
    expect(await service.runJobs()).toContain("request-log");
  });

  it("page versions stay in order", async () => {
    const { send, set } = openClock();
    const put = (text: string) => send("PUT", "/api/pages/one", { json: { html: `<!doctype html><p>${text}` } });
    const versions = [(await put("a")).body["version"]];
    set(hours);
    versions.push((await put("b")).body["version"]);
    set(0);
    versions.push((await put("c")).body["version"]);
    expect(versions).toEqual([1, 2, 3]);
    expect((await send("GET", "/api/pages")).items).toHaveLength(1);
  });
});

it("a sign-in link created by a clock that runs a day ahead expires 10 minutes after its own creation time", async () => {
  const { service, set } = openClock();
  set(24);
  const { url } = await service.createSignInLink();
  set(24.2);
  expect((await service.fetch(new Request(url))).status).toBe(410);
});
