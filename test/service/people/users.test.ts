import { describe, expect, it } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { inviteAs } from "./signed-in-as.ts";
import { followLink, signIn } from "../dashboard/signed-in.ts";

describe("users", () => {
  it("start with one owner, whom every sign-in link from the terminal signs in", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    await signIn(service);
    expect((await send("GET", "/api/users")).items).toEqual([
      {
        ...{ id: expect.stringMatching(/^usr_/), name: "Owner", email: null, role: "owner" },
        ...{ createdAt: expect.any(String), lastSignInAt: expect.any(String), formMails: false },
      },
    ]);
  });

  it("can be invited with a link that signs in once, changed, and removed", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const invited = await send("POST", "/api/users", {
      json: { email: " Ada@Example.org ", role: "editor" },
    });
    expect(invited.body).toMatchObject({
      name: "ada",
      email: "ada@example.org",
      role: "editor",
      lastSignInAt: null,
    });
    const again = await send("POST", "/api/users", {
      json: { email: "ADA@example.org", role: "viewer" },
    });
    expect([again.status, again.body.code]).toEqual([409, "email_taken"]);
    const path = `/api/users/${invited.body.id}`;
    expect((await followLink(service, String(invited.body.url))).status).toBe(303);
    expect((await followLink(service, String(invited.body.url))).status).toBe(410);
    expect((await send("PATCH", path, { json: { name: "Ada L.", role: "viewer" } })).body).toMatchObject({
      ...{ name: "Ada L.", role: "viewer", lastSignInAt: expect.any(String) },
    });
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).body.code).toBe("user_not_found");
  });

  it("can be invited again, and an invitation expires after 7 days", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/users", {
      json: { email: "ada@example.org", role: "editor" },
    });
    const { body: link } = await send("POST", `/api/users/${body.id}/invitations`);
    await send("POST", "/api/_clock", { json: { advanceMs: 7 * 24 * 60 * 60 * 1000 - 1000 } });
    expect((await followLink(service, String(link.url))).status).toBe(303);
    await send("POST", "/api/_clock", { json: { advanceMs: 2000 } });
    expect((await followLink(service, String(body.url))).status).toBe(410);
  });

  it("always include an owner", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const [owner] = (await send("GET", "/api/users")).items;
    expect((await send("DELETE", `/api/users/${owner?.id}`)).body.code).toBe("last_owner");
    expect((await send("PATCH", `/api/users/${owner?.id}`, { json: { role: "editor" } })).body.code).toBe("last_owner");
    await inviteAs(service, "owner");
    expect((await send("PATCH", `/api/users/${owner?.id}`, { json: { role: "editor" } })).status).toBe(200);
  });

  it("can't be managed by users with fewer permissions", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const editor = await inviteAs(service, "editor");
    const { apiKey } = await service.createKey({
      name: "narrow",
      scopes: ["account:write", "pages:read"],
    });
    for (const [method, path, json] of [
      ["POST", "/api/users", { email: "x@example.org", role: "owner" }],
      ["PATCH", `/api/users/${editor.id}`, { role: "owner" }],
      ["POST", `/api/users/${editor.id}/invitations`, undefined],
      ["DELETE", `/api/users/${editor.id}`, undefined],
    ] as const) {
      const refused = await send(method, path, { apiKey, ...(json && { json }) });
      expect([method, refused.status, refused.body.code]).toEqual([method, 403, "insufficient_scope"]);
    }
  });

  it("get changed permissions in sessions, keys, and MCP from the next request on", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const second = await inviteAs(service, "owner");
    const made = await second.post("/keys", { name: "hers", reach: "all", expiresAt: "" });
    const apiKey = /value="(imp_[^"]+)"/.exec(await made.text())?.[1] ?? "";
    const put = () => send("PUT", "/api/pages/one", { apiKey, json: { html: `<p>${Math.random()}` } });
    expect((await put()).status).toBe(201);
    await send("PATCH", `/api/users/${second.id}`, { json: { role: "viewer" } });
    expect((await put()).body).toMatchObject({ code: "insufficient_scope", scope: "pages:write" });
    expect((await send("GET", "/api/pages/one", { apiKey })).status).toBe(200);
    expect((await send("GET", "/api/keys", { apiKey })).status).toBe(403);
    const tool = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "pages_delete", arguments: { slug: "one" } },
    };
    const called = await service.fetch(
      new Request(`${service.url}/mcp`, {
        method: "POST",
        body: JSON.stringify(tool),
        headers: {
          ...{ Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
          Accept: "application/json, text/event-stream",
        },
      }),
    );
    expect([called.status, called.headers.get("WWW-Authenticate")]).toEqual([
      403,
      expect.stringContaining("pages:write"),
    ]);
    expect((await send("GET", "/api/pages/one")).status).toBe(200);
  });
});

describe("a removed user", () => {
  it("is signed out at once, and their keys are revoked", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const second = await inviteAs(service, "owner");
    const made = await second.post("/keys", { name: "hers", reach: "all", expiresAt: "" });
    const apiKey = /value="(imp_[^"]+)"/.exec(await made.text())?.[1] ?? "";
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    expect((await send("DELETE", `/api/users/${second.id}`)).status).toBe(204);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(401);
    expect((await second.get("/pages")).status).toBe(401);
  });

  it("leaves keys in place on request, with no more permissions than they had", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const second = await inviteAs(service, "owner");
    const made = await second.post("/keys", { name: "hers", reach: "all", expiresAt: "" });
    const apiKey = /value="(imp_[^"]+)"/.exec(await made.text())?.[1] ?? "";
    await send("PATCH", `/api/users/${second.id}`, { json: { role: "viewer" } });
    expect((await send("DELETE", `/api/users/${second.id}?keys=keep`)).status).toBe(204);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    expect((await send("PUT", "/api/pages/one", { apiKey, json: { html: "<p>" } })).status).toBe(403);
  });
});

describe("the dashboard", () => {
  it("gives each role the same permissions as the API", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>", title: "One" } });
    const { id } = (await send("GET", "/api/pages/one")).body;
    const [editor, viewer] = [await inviteAs(service, "editor"), await inviteAs(service, "viewer")];
    for (const path of ["/keys", "/people", "/webhooks", "/requests"]) {
      expect([path, (await editor.get(path)).status]).toEqual([path, 403]);
    }
    expect((await editor.post("/keys", { name: "x", reach: "all", expiresAt: "" })).status).toBe(403);
    expect((await editor.post("/domains", { domain: "www.example.org" })).status).toBe(403);
    expect((await editor.post(`/pages/${id}/status`, { status: "draft" })).status).toBe(303);
    expect((await send("GET", "/api/pages/one")).body.status).toBe("draft");
    expect((await viewer.post(`/pages/${id}/status`, { status: "published" })).status).toBe(403);
    expect((await viewer.get(`/pages/${id}/delete`)).status).toBe(403);
    expect((await viewer.get("/library/new")).status).toBe(403);
    const shown = await (await viewer.get(`/edit/${id}`)).text();
    expect(shown).toContain("<fieldset disabled");
    expect(shown).not.toContain("Delete</a>");
    expect(shown).not.toContain('href="/keys"');
    expect((await send("GET", "/api/pages/one")).body.status).toBe("draft");
  });

  it("shows an invitation once, with the user it signs in", async () => {
    const service = openService();
    const owner = await signIn(service);
    const invited = await owner.post("/people", {
      email: "ada@example.org",
      name: "Ada",
      role: "editor",
    });
    const html = await invited.text();
    expect([invited.status, html]).toEqual([201, expect.stringContaining("Send it to ada@example.org")]);
    const url = /value="(http[^"]+)"/.exec(html)?.[1] ?? "";
    expect(await (await owner.get("/people")).text()).not.toContain("token=");
    expect((await followLink(service, url)).status).toBe(303);
    const again = await owner.post("/people", {
      email: "ada@example.org",
      name: "",
      role: "viewer",
    });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("address of another user")]);
  });
});
