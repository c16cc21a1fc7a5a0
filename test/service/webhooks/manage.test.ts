import { describe, expect, it } from "vitest";
import { addWebhook, advance, deliveriesOf, openSender, publish, startReceiver } from "./receiver.ts";

const DAY = 24 * 60 * 60 * 1000;

describe("a webhook secret", () => {
  it("stays valid for a day beside its replacement, and not longer", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender({ now: () => new Date() });
    const { id, secret } = await addWebhook(send, { url: receiver.url });
    const { body } = await send("PATCH", `/api/webhooks/${id}`, { json: { rotateSecret: true } });
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.secret).not.toBe(secret);
    await publish(send, "one");
    await service.sendWebhooks();
    expect(receiver.messages(secret)).toEqual(receiver.messages(String(body.secret)));
    expect(receiver.requests[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    await advance(send, DAY);
    await publish(send, "two");
    await service.sendWebhooks();
    expect(receiver.requests[1]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
  });

  it("is shown when it is created, and never again", async () => {
    const { send } = openSender();
    const { id, secret } = await addWebhook(send, { url: "https://example.org/hook" });
    for (const path of ["/api/webhooks", `/api/webhooks/${id}`]) {
      expect((await send("GET", path)).text).not.toContain(secret);
    }
    const changed = await send("PATCH", `/api/webhooks/${id}`, { json: { description: "CI" } });
    expect(changed.text).not.toContain(secret);
  });

  it("isn't in the stored response to a request with an idempotency key", async () => {
    const { send } = openSender();
    const options = { json: { url: "https://example.org/hook" }, headers: { "Idempotency-Key": "once" } };
    const first = await send("POST", "/api/webhooks", options);
    const second = await send("POST", "/api/webhooks", options);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect([second.body.id, second.body.secret]).toEqual([first.body.id, undefined]);
  });
});

describe("a test", () => {
  it("sends a message of its own type, even to a disabled webhook", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender();
    const { id, secret } = await addWebhook(send, { url: receiver.url, events: ["lead.captured"] });
    await send("PATCH", `/api/webhooks/${id}`, { json: { enabled: false } });
    const { status, body } = await send("POST", `/api/webhooks/${id}/test`);
    expect([status, body.type, body.eventId]).toEqual([201, "webhook.test", null]);
    await service.sendWebhooks();
    expect(receiver.messages(secret)).toEqual([
      { id: body.id, type: "webhook.test", timestamp: expect.any(String), data: { webhookId: id } },
    ]);
  });
});

describe("the address of a webhook", () => {
  it.each(["http://127.0.0.1/", "http://169.254.169.254/", "ftp://example.org/", "https://a:b@example.org/", "x", ""])(
    "can't be %j",
    async (url) => {
      const { send } = openSender({ allowNetworks: [] });
      for (const [method, path] of [
        ["POST", "/api/webhooks"],
        ["PATCH", `/api/webhooks/${(await addWebhook(send, { url: "https://example.org/" })).id}`],
      ] as const) {
        const { status, body } = await send(method, path, { json: { url } });
        expect([status, body.code]).toEqual([422, "invalid_body"]);
        expect(body.errors).toEqual([{ pointer: "/body/url", detail: expect.any(String) }]);
      }
    },
  );

  it("is checked again on every attempt: one that has become private isn't contacted", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender({ allowNetworks: [] });
    const port = new URL(receiver.url).port;
    const { id } = await addWebhook(send, { url: `http://localhost:${port}/` });
    await publish(send, "one");
    await service.sendWebhooks();
    expect(receiver.requests).toEqual([]);
    expect((await deliveriesOf(send, id))[0]).toMatchObject({
      lastAttempt: { status: null, error: "localhost is not a public address." },
    });
  });
});

describe("webhooks", () => {
  it("can be changed, listed, and deleted with their pending deliveries", async () => {
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: "https://example.org/a", description: "CI" });
    await publish(send, "one");
    const changed = await send("PATCH", `/api/webhooks/${id}`, {
      json: { url: "https://example.org/b", description: null, events: ["page.deleted", "page.deleted"] },
    });
    expect(changed.body).toMatchObject({ url: "https://example.org/b", description: null, events: ["page.deleted"] });
    expect((await send("GET", "/api/webhooks")).items).toEqual([changed.body]);
    expect((await send("DELETE", `/api/webhooks/${id}`)).status).toBe(204);
    expect([(await send("GET", `/api/webhooks/${id}`)).body.code, await service.sendWebhooks()]).toEqual([
      "webhook_not_found",
      0,
    ]);
  });

  it("are limited in number by the account", async () => {
    const { send } = openSender({ limits: { maxWebhooks: 1 } });
    await addWebhook(send, { url: "https://example.org/" });
    const { status, body } = await send("POST", "/api/webhooks", { json: { url: "https://example.org/" } });
    expect([status, body.code]).toEqual([422, "limit_reached"]);
  });

  it("don't exist in strict mode", async () => {
    const { send } = openSender({ strict: true });
    for (const path of ["/api/webhooks", "/api/events", "/api/keys", "/openapi.json"]) {
      expect((await send("GET", path)).body.code).toBe("no_such_route");
    }
  });
});
