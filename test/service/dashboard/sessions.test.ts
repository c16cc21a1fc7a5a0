import { expect, test } from "vitest";
import { openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { signIn } from "./signed-in.ts";

/** The addresses in the settings that end a session, most recently used first. */
function sessionsIn(html: string): readonly string[] {
  return [...html.matchAll(/"(\/settings\/sessions\/\w+\/end)"/g)].map(([, path = ""]) => path);
}

test("the settings list a person's sessions, and can end a single one", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const one = await signIn(service);
  now = new Date("2026-03-02T10:00:00Z");
  const other = await signIn(service);
  const viewer = await inviteAs(service, "viewer");
  const html = await (await other.get("/settings")).text();
  const [latest = "", earlier = "", ...more] = sessionsIn(html);
  expect([more, html.match(/This browser/g)]).toEqual([[], ["This browser"]]);
  expect(await (await other.get(earlier)).text()).toContain("Sign out this browser?");
  expect((await viewer.post(earlier)).status).toBe(404);
  expect((await one.get("/pages")).status).toBe(200);
  const ended = await other.post(earlier);
  expect([ended.status, ended.headers.get("Set-Cookie")]).toEqual([303, null]);
  expect([(await one.get("/pages")).status, (await other.get("/pages")).status]).toEqual([401, 200]);
  expect(sessionsIn(await (await other.get("/settings")).text())).toEqual([latest]);
  expect((await other.post(latest)).headers.get("Set-Cookie")).toContain("Max-Age=0");
  expect([(await other.get("/pages")).status, (await viewer.get("/settings")).status]).toEqual([401, 200]);
});

test("an expired session isn't listed", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  await signIn(service);
  now = new Date("2026-03-15T10:00:00Z");
  const { get } = await signIn(service);
  expect(sessionsIn(await (await get("/settings")).text())).toHaveLength(1);
});
