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

test("the settings show each browser's name, system, and address", async () => {
  const service = openService({ now: () => new Date("2026-03-01T10:00:00Z") });
  const signInWith = (userAgent: string) =>
    signIn({
      ...service,
      fetch(request) {
        request.headers.set("User-Agent", userAgent);
        return service.fetch(request);
      },
    });
  await signInWith("Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0");
  await signInWith("curl/8.5");
  const { get } = await signInWith(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
  );
  const html = await (await get("/settings")).text();
  const browsers = [...html.matchAll(/<th scope="row"[^>]*>([^<]+ (?:on|browser)[^<]*)</g)].map(([, name]) => name);
  expect(browsers.toSorted()).toEqual(["Firefox on Windows", "Safari on iOS", "Unknown browser"]);
  expect(html.match(/>in process</g)).toHaveLength(3);
  const questions = await Promise.all(sessionsIn(html).map(async (path) => await (await get(path)).text()));
  expect(questions.filter((question) => question.includes("Firefox on Windows"))).toHaveLength(1);
});

test("an expired session isn't listed", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  await signIn(service);
  now = new Date("2026-03-15T10:00:00Z");
  const { get } = await signIn(service);
  expect(sessionsIn(await (await get("/settings")).text())).toHaveLength(1);
});
