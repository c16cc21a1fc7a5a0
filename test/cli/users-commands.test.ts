import { describe, expect, it } from "vitest";
import { followLink } from "../service/dashboard/signed-in.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

describe.each(["a", "b"] as const)("imprint users, route set %s", (routeSet) => {
  it("invites, lists, changes, and removes people", async () => {
    const service = await openRunningService();
    const { run } = await commandsFor(service, routeSet);
    const invited = await run("users", "invite", "ada@example.org", "--role", "viewer", "--name", "Ada");
    const url = /http\S+/.exec(invited.out)?.[0] ?? "";
    const again = await run("users", "invite", "Ada@example.org", "--json");
    expect(again.json()).toMatchObject({ email: "ada@example.org", role: "viewer", url: expect.any(String) });
    // The new link replaces the first one.
    expect((await followLink(service, url)).status).toBe(410);
    expect((await followLink(service, String(Object(again.json()).url))).status).toBe(303);
    expect((await run("users", "list")).out).toMatch(/Ada +ada@example.org +viewer +signed in/);
    expect((await run("users", "role", "ada@example.org", "editor")).out).toBe(
      "Ada (ada@example.org) is now editor.\n",
    );
    expect((await run("users", "remove", "Ada", "--yes")).out).toBe("Removed Ada (ada@example.org).\n");
    expect((await run("users", "list", "--json")).json()).toMatchObject([{ name: "Owner", role: "owner" }]);
  });

  it("reports errors", async () => {
    const { run } = await commandsFor(await openRunningService(), routeSet);
    await run("users", "invite", "ada@example.org");
    for (const [args, said] of [
      [["invite", "nobody"], "must be an email address"],
      [["invite", "ada@example.org", "--role", "viewer"], "imprint users role ada@example.org viewer"],
      [["role", "ada@example.org", "king"], `"king" isn't a role`],
      [["role", "Owner", "viewer"], "The account needs at least one owner."],
      [["remove", "eve@example.org", "--yes"], 'There is no user "eve@example.org"'],
      [["remove", "ada@example.org"], "Add --yes to confirm."],
    ] as const) {
      const { code, error } = await run("users", ...args);
      expect([args, code > 0, error]).toEqual([args, true, expect.stringContaining(said)]);
    }
  });
});

it("imprint users remove lists the user's keys and keeps them on request", async () => {
  const service = await openRunningService();
  const { run } = await commandsFor(service, "a");
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "owner" } });
  const cookie = (await followLink(service, String(body.url))).headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const form = new URLSearchParams({ name: "CI", reach: "all", expiresAt: "" });
  const headers = { Cookie: cookie, Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  await service.fetch(new Request(`${service.url}/keys`, { method: "POST", body: form, headers }));
  expect((await send("GET", "/api/keys")).items).toMatchObject([{ name: "CI", userId: body.id }]);
  const removed = await run("users", "remove", "ada@example.org", "--keep-keys", "--yes");
  expect(removed.out).toMatch(/^Removed ada \(ada@example.org\)\. API keys kept: CI \(….{4}\)\.\n$/);
  expect((await send("GET", "/api/keys")).items).toMatchObject([{ name: "CI", userId: null }]);
});
