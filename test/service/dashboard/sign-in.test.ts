import { expect, test } from "vitest";
import type { Logger } from "../../../src/base/log.ts";
import { clientOf, openService } from "../open-service.ts";
import { followLink, signIn } from "./signed-in.ts";

test("a sign-in link opens the dashboard only once", async () => {
  const service = openService();
  const { url } = await service.createSignInLink();
  const first = await followLink(service, url);
  const again = await followLink(service, url);
  expect([first.status, first.headers.get("Location")]).toEqual([303, "/"]);
  expect(first.headers.get("Set-Cookie")).toMatch(
    /^imprint_session=\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  );
  expect(again.status).toBe(410);
  expect(again.headers.get("Set-Cookie")).toBeNull();
});

test("a link expires after 10 minutes", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const { url } = await service.createSignInLink();
  now = new Date("2026-03-01T10:10:01Z");
  const answer = await followLink(service, url);
  expect(answer.status).toBe(410);
});

test.for([
  ["a prefetching browser", { headers: { "Sec-Purpose": "prefetch;prerender" } }],
  ["a link checker", { method: "HEAD" }],
  ["a mail scanner that opens links", {}],
] as const)("%s doesn't use up the link", async ([, ahead]) => {
  const service = openService();
  const { url } = await service.createSignInLink();
  const looked = await service.fetch(new Request(url, ahead));
  const real = await followLink(service, url);
  expect([looked.headers.get("Set-Cookie"), real.status]).toEqual([null, 303]);
});

test("signing in ends the browser's previous session, but a rejected link doesn't", async () => {
  const service = openService();
  const [former, elsewhere] = [await signIn(service), await signIn(service)];
  const { url } = await service.createSignInLink();
  const token = new URL(url).searchParams.get("token") ?? "";
  const { status, headers } = await former.post("/sign-in", { token, next: "/" });
  const fresh = { Cookie: headers.get("Set-Cookie")?.split(";")[0] ?? "" };
  const opened = await service.fetch(new Request(`${service.url}/pages`, { headers: fresh }));
  expect([status, opened.status]).toEqual([303, 200]);
  expect([(await former.get("/pages")).status, (await elsewhere.get("/pages")).status]).toEqual([401, 200]);
  expect((await elsewhere.post("/sign-in", { token, next: "/" })).status).toBe(410);
  expect((await elsewhere.get("/pages")).status).toBe(200);
});

test("a form on another site can't sign anyone in", async () => {
  const service = openService();
  const { url } = await service.createSignInLink();
  const body = new URLSearchParams({ token: new URL(url).searchParams.get("token") ?? "" });
  const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  const answer = await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
  expect([answer.status, answer.headers.get("Set-Cookie")]).toEqual([404, null]);
});

test("the cookie is sent only over TLS if the dashboard is served over TLS", async () => {
  const service = openService({ appUrl: "https://imprint.example", pagesUrl: "https://pages.example" });
  const { url } = await service.createSignInLink();
  const answer = await followLink(service, url);
  const cookie = answer.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^__Host-imprint_session=\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
  const open = await service.fetch(
    new Request(`${service.url}/pages`, { headers: { Cookie: cookie.split(";")[0] ?? "" } }),
  );
  expect(open.status).toBe(200);
  const plain = (cookie.split(";")[0] ?? "").replace("__Host-", "");
  const refused = await service.fetch(
    new Request(`${service.url}/pages`, { headers: { Cookie: plain }, redirect: "manual" }),
  );
  expect([await open.text(), await refused.text()].map((text) => text.includes("Sign out"))).toEqual([true, false]);
});

test("a session ends after 90 days, however often it is used", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const { cookie } = await signIn(service);
  const statuses: number[] = [];
  for (let day = 10; day <= 90; day += 10) {
    now = new Date(Date.parse("2026-03-01T10:00:00Z") + day * 24 * 60 * 60 * 1000);
    statuses.push((await service.fetch(new Request(`${service.url}/pages`, { headers: { Cookie: cookie } }))).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 401]);
});

test("the dashboard is hidden without signing in", async () => {
  const service = openService();
  for (const path of ["/", "/pages", "/settings", "/edit/pg_1"]) {
    const answer = await service.fetch(new Request(`${service.url}${path}`));
    expect([path, answer.status]).toEqual([path, 401]);
    expect(await answer.text()).toContain("imprint dashboard");
  }
});

test("an API key opens no page of the dashboard", async () => {
  const service = openService();
  const headers = { Authorization: `Bearer ${service.apiKey}` };
  const answer = await service.fetch(new Request(`${service.url}/pages`, { headers }));
  expect(answer.status).toBe(401);
});

test("a session opens no route of the API", async () => {
  const service = openService();
  const { get } = await signIn(service);
  const answer = await get("/api/pages");
  expect(answer.status).toBe(401);
});

test("signing out ends the session permanently", async () => {
  const service = openService();
  const { get, post } = await signIn(service);
  const before = await get("/pages");
  const out = await post("/sign-out");
  const after = await get("/pages");
  expect([before.status, out.status, after.status]).toEqual([200, 303, 401]);
  expect(out.headers.get("Set-Cookie")).toContain("Max-Age=0");
});

test("the session cookie outlives an idle session, because each use extends the session", async () => {
  const service = openService();
  const { url } = await service.createSignInLink();
  const answer = await followLink(service, url);
  const [, seconds] = /Max-Age=(\d+)/.exec(answer.headers.get("Set-Cookie") ?? "") ?? [];
  expect(Number(seconds)).toBe(400 * 24 * 60 * 60);
});

test("a session expires after 14 days without use, and each use extends it", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const { get } = await signIn(service);
  now = new Date("2026-03-12T10:00:00Z");
  const used = await get("/pages");
  now = new Date("2026-03-25T10:00:00Z");
  const prolonged = await get("/pages");
  now = new Date("2026-04-09T10:00:00Z");
  const over = await get("/pages");
  expect([used.status, prolonged.status, over.status]).toEqual([200, 200, 401]);
});

test.for([
  { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
  { Origin: "null", "Sec-Fetch-Site": "same-origin" },
  { Origin: "http://127.0.0.1:4401", "Sec-Fetch-Site": "same-site" },
  {},
])("a form on another site changes nothing: %j", async (headers) => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("PUT", "/api/pages/about", { json: { html: "<h1>About</h1>" } });
  const { cookie } = await signIn(service);
  const answer = await service.fetch(
    new Request(`${service.url}/pages/${String(body["id"])}/delete`, {
      method: "POST",
      headers: { ...headers, Cookie: cookie },
    }),
  );
  const page = await send("GET", "/api/pages/about");
  expect([answer.status, page.status]).toEqual([403, 200]);
});

test("a navigation from another site reloads the page, with the cookie", async () => {
  const service = openService();
  const answer = await service.fetch(
    new Request(`${service.url}/pages?q=a%22b`, { headers: { "Sec-Fetch-Site": "cross-site" } }),
  );
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('<meta http-equiv="refresh" content="0;url=/pages?q=a%22b"/>');
});

test("a navigation from another site isn't redirected to another host", async () => {
  const service = openService();
  const answer = await service.fetch(
    new Request(`${service.url}//evil.example/`, { headers: { "Sec-Fetch-Site": "cross-site" } }),
  );
  expect(await answer.text()).toContain('<meta http-equiv="refresh" content="0;url=/"/>');
});

test.for([
  ["a form over the size limit", new URLSearchParams({ next: "x".repeat(100_000) }), 413],
  ["a body that isn't a form", "{}", 200],
] as const)("a request for a link with %s doesn't harm the service", async ([, body, status]) => {
  const service = openService();
  const answer = await service.fetch(
    new Request(`${service.url}/sign-in`, { method: "POST", body, headers: { Origin: service.url } }),
  );
  expect(answer.status).toBe(status);
});

test("signed-out users can have a link printed where the service runs, a few times a minute", async () => {
  const lines: string[] = [];
  const logger: Logger = { info: (line) => void lines.push(line), warn() {}, error() {}, debug() {} };
  const service = openService({ logger });
  const ask = () =>
    service.fetch(
      new Request(`${service.url}/sign-in`, {
        method: "POST",
        body: new URLSearchParams({ next: "/forms" }),
        headers: { Origin: service.url },
      }),
    );
  const answers = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  const link = /http\S+/.exec(lines[0] ?? "")?.[0] ?? "";
  const signedIn = await followLink(service, link);
  expect(signedIn.headers.get("Location")).toBe("/forms");
});

test.for(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])(
  "a sign-in link doesn't redirect to another host: %s",
  async (next) => {
    const service = openService();
    const { url } = await service.createSignInLink();
    const answer = await followLink(service, `${url}&next=${encodeURIComponent(next)}`);
    expect(answer.headers.get("Location")).toBe("/");
  },
);

test("a person can request a link by email, without revealing who has an account", async () => {
  const lines: string[] = [];
  const log = (message: string) => void lines.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const service = openService({ logger });
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
    const body = new URLSearchParams(fields);
    const request = new Request(`${service.url}/sign-in`, { method: "POST", body, headers });
    return (await (await service.fetch(request)).text()).replaceAll(/\w+@/g, "");
  };
  const form = () => service.fetch(new Request(`${service.url}/sign-in`)).then((page) => page.text());
  expect(await form()).not.toContain('name="email"');
  const send = clientOf(service, { routeSet: "a" });
  await send("POST", "/api/users", { json: { email: "ada@example.org", role: "viewer" } });
  expect(await form()).toContain('name="email"');
  const known = await ask({ email: " Ada@example.org" });
  const unknown = await ask({ email: "eve@example.org" });
  expect(unknown).toBe(known);
  const links = lines.flatMap((line) => /as (\S+) \(.*(http\S+)/.exec(line)?.slice(1) ?? []);
  expect(links).toEqual(["ada@example.org", expect.stringContaining("/sign-in?token=")]);
  const signedIn = await followLink(service, links[1] ?? "");
  const headers = { Cookie: signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
  expect((await service.fetch(new Request(`${service.url}/pages`, { headers }))).status).toBe(200);
  expect((await service.fetch(new Request(`${service.url}/people`, { headers }))).status).toBe(403);
});
