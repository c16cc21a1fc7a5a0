import { expect, it } from "vitest";
import { sendRaw } from "./http/raw-socket.ts";
import { clientOf, fileForm, openRunningService, openService, visit } from "./open-service.ts";
import { signIn } from "./dashboard/signed-in.ts";

const HTTPS = { appUrl: "https://app.example", pagesUrl: "https://pages.example" };

it("responses of the API and the dashboard have security headers, including errors", async () => {
  const service = openService(HTTPS);
  const { cookie } = await signIn(service);
  for (const path of ["/a/api/pages", "/b/api/account", "/", "/sign-in?token=x", "/none", "/readyz", "/authorize"]) {
    const answer = await service.fetch(new Request(`${service.url}${path}`, { headers: { Cookie: cookie } }));
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
    expect([path, policy]).toEqual([path, expect.stringContaining("base-uri 'none'")]);
    expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
    expect([path, answer.headers.get("X-Content-Type-Options")]).toEqual([path, "nosniff"]);
    expect([path, answer.headers.get("Referrer-Policy")]).toEqual([
      path,
      expect.stringMatching(/no-referrer|same-origin/),
    ]);
    expect([path, answer.headers.get("Strict-Transport-Security")]).toEqual([
      path,
      "max-age=31536000; includeSubDomains",
    ]);
  }
});

it("sends HSTS only if the service is served over TLS", async () => {
  const answer = await openService().fetch(new Request(`${openService().url}/healthz`));
  expect(answer.headers.get("Strict-Transport-Security")).toBeNull();
  expect((await visit(openService(), "/p/none")).headers.get("Strict-Transport-Security")).toBeNull();
});

it("sends HSTS for the pages' host, but not for its subdomains or other domains", async () => {
  const service = await openRunningService(HTTPS);
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html: "<p>One" } });
  const demandOf = async (host: string, path: string) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return /^strict-transport-security: (.*)$/im.exec(await sendRaw(service.pagesPort, request))?.[1];
  };
  for (const path of ["/p/one", "/p/none", "/_i.js", "/"]) {
    expect([path, await demandOf("pages.example", path)]).toEqual([path, "max-age=31536000"]);
  }
  expect(await demandOf("other.example", "/")).toBeUndefined();
});

it("pages for signed-in users aren't cached", async () => {
  const service = openService();
  const { cookie } = await signIn(service);
  for (const path of ["/", "/pages", "/settings", "/readyz", "/none"]) {
    const answer = await service.fetch(new Request(`${service.url}${path}`, { headers: { Cookie: cookie } }));
    expect([path, answer.headers.get("Cache-Control")]).toEqual([path, expect.stringContaining("no-store")]);
  }
});

it("pages and files have a content type and disable sniffing", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/one", { json: { html: "<!doctype html><p>One" } });
  const { body } = await send("POST", "/api/library", { form: fileForm(["a.txt", "text"]) });
  for (const path of ["/p/one", new URL(String(body["url"])).pathname, "/p/none", "/_i.js"]) {
    const { headers } = await visit(service, path);
    expect([path, headers.get("X-Content-Type-Options")]).toEqual([path, "nosniff"]);
    expect([path, headers.get("Content-Type")]).toEqual([path, expect.stringMatching(/^text\/.+; charset=utf-8$/)]);
  }
});

it("rejects TRACE without echoing the request", async () => {
  const service = await openRunningService();
  for (const port of [service.port, service.pagesPort]) {
    const answer = await sendRaw(
      port,
      "TRACE /p/one HTTP/1.1\r\nHost: a\r\nX-Secret: abc\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain("abc");
  }
});

it("an unknown address returns a page to browsers and a problem to API clients", async () => {
  const service = openService();
  const get = (Accept: string, path: string) =>
    service.fetch(new Request(`${service.url}${path}`, { headers: { Accept } }));
  const page = await get("text/html,application/xhtml+xml,*/*;q=0.8", "/no<thing");
  expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'; script-src 'self'");
  const html = await page.text();
  expect(html).toContain("<code>/no&lt;thing</code>");
  expect(html).toContain('<a href="/">Open the dashboard</a>');
  for (const accept of ["*/*", "application/json", "image/avif,image/webp,*/*"]) {
    const problem = await get(accept, "/nothing");
    expect([problem.status, problem.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
  }
});
