import { describe, expect, it } from "vitest";
import { signIn } from "../dashboard/signed-in.ts";
import { openRunningService, openService } from "../open-service.ts";
import { answerForm, approve, beginAt, registerProgram, REDIRECT_URI } from "./program.ts";

describe("a redirect", () => {
  it("to a program on this computer can use any port", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const redirectUri = "http://127.0.0.1:50999/callback";
    const { location } = await approve(service, program, { redirectUri });
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
  });

  it.each(["http://127.0.0.1:8123/other", "https://evil.example/callback", `${REDIRECT_URI}?x=1`])(
    "to %s, which wasn't registered, is replaced with an error page",
    async (redirectUri) => {
      const service = await openRunningService();
      const { address } = await beginAt(await registerProgram(service), { redirectUri });
      const answer = await (await signIn(service)).get(`${address.pathname}${address.search}`);
      expect([answer.status, answer.headers.get("Location")]).toEqual([400, null]);
      expect(answer.headers.get("Content-Type")).toContain("text/html");
    },
  );

  it("of an unknown program is replaced with an error page, too", async () => {
    const service = openService();
    const person = await signIn(service);
    const query = new URLSearchParams({ client_id: "nobody", redirect_uri: REDIRECT_URI, response_type: "code" });
    const answer = await person.get(`/oauth/authorize?${query}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([400, null]);
  });

  it.each(["http://evil.example/callback", "javascript:alert(1)", "https://x.example/#a", "/relative"])(
    "to %s can't be registered",
    async (redirectUri) => {
      const service = await openRunningService();
      await expect(registerProgram(service, { redirect_uris: [redirectUri] })).rejects.toMatchObject({ status: 400 });
    },
  );
});

describe("the consent form", () => {
  it("can be submitted once", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), {});
    const person = await signIn(service);
    const html = await (await person.get(`${address.pathname}${address.search}`)).text();
    const first = await answerForm(service, { html, cookie: person.cookie });
    const second = await answerForm(service, { html, cookie: person.cookie });
    expect([first.status, second.status]).toEqual([303, 400]);
  });

  it("is accepted only from a signed-in person, and from no other page", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), {});
    const person = await signIn(service);
    const html = await (await person.get(`${address.pathname}${address.search}`)).text();
    const stranger = await answerForm(service, { html, cookie: "" });
    const body = new URLSearchParams({
      form_token: /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "",
      decision: "allow",
      approve: "pages:read",
    });
    const crossing = await service.fetch(
      new Request(`${service.url}/oauth/authorize`, {
        method: "POST",
        body,
        headers: { Cookie: person.cookie, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      }),
    );
    expect([stranger.status, crossing.status]).toEqual([400, 400]);
  });

  it("expires after 15 minutes", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const { address } = await beginAt(await registerProgram(service), {});
    const person = await signIn(service);
    const html = await (await person.get(`${address.pathname}${address.search}`)).text();
    now = new Date("2026-03-01T10:15:01Z");
    const answer = await answerForm(service, { html, cookie: person.cookie });
    expect(answer.status).toBe(400);
  });

  it("can't be framed, and redirects only to the program", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), {});
    const page = await (await signIn(service)).get(`${address.pathname}${address.search}`);
    const policy = page.headers.get("Content-Security-Policy");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:8123;");
  });

  it("shows the program's name as text, whatever it is", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service, { client_name: "<script>x</script>" }), {});
    const page = await (await signIn(service)).get(`${address.pathname}${address.search}`);
    expect(await page.text()).not.toContain("<script>x");
  });

  it("asks signed-out people to sign in first, and continues afterwards", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), {});
    const answer = await fetch(address);
    const html = await answer.text();
    expect([answer.status, html.includes("Sign in"), html.includes("/oauth/authorize?")]).toEqual([401, true, true]);
  });

  it("reloads itself after a navigation from another site, so that the browser sends its cookie", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), {});
    const answer = await service.fetch(new Request(address, { headers: { "Sec-Fetch-Site": "cross-site" } }));
    expect([answer.status, (await answer.text()).includes('http-equiv="refresh"')]).toEqual([200, true]);
  });
});
