import { expect, test } from "vitest";
import { clientOf, openService } from "../open-service.ts";

test("a request for a link to sign in is refused rather than answered with another user's link", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { body: user } = await send("POST", "/api/users", { json: { email: "ed@example.org", role: "editor" } });
  for (const path of ["/api/sign-in-links", `/api/users/${String(user["id"])}/invitations`]) {
    const wrong = await send("POST", path, { json: { email: "eve@example.org" } });
    const unreadable = await send("POST", path, { body: "email=ed@example.org" });
    const empty = await send("POST", path, { json: {} });
    const usual = await send("POST", path);
    expect([wrong.status, unreadable.status, empty.status, usual.status]).toEqual([422, 422, 201, 201]);
    expect(wrong.body).toMatchObject({ code: "invalid_body", detail: expect.stringContaining("has no fields") });
    expect(wrong.body).not.toHaveProperty("url");
  }
});
