import { describe, expect, it } from "vitest";
import { verifyWebhook } from "../../src/client.ts";
import { openRunningService } from "../service/open-service.ts";
import { startReceiver } from "../service/webhooks/receiver.ts";
import { testClient, testConnect } from "./clients.ts";

async function open(routeSet: "a" | "b") {
  const service = await openRunningService({ allowNetworks: ["127.0.0.0/8"], background: false });
  const api = await testConnect({ baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey });
  return { service, api };
}

describe.each(["a", "b"] as const)("keys, webhooks and events, route set %s", (routeSet) => {
  it("are typed, with times as dates", async () => {
    const { api } = await open(routeSet);
    const { key, ...made } = await api.keys.create({ name: "CI", scopes: ["pages:read"] });
    expect(key).toMatch(/^imp_dev_/);
    expect((await api.keys.list()).items).toEqual([made]);
    expect(made).toMatchObject({ name: "CI", scopes: ["pages:read"], createdAt: expect.any(Date), lastUsedAt: null });
    await api.keys.revoke(made.id);
    await api.keys.revoke(made.id);
    expect((await api.keys.list()).items).toEqual([]);
  });

  it("deliver events to a receiver that verifies them with verifyWebhook", async () => {
    const { service, api } = await open(routeSet);
    const receiver = await startReceiver();
    const webhook = await api.webhooks.create({ url: receiver.url });
    await api.pages.create({ slug: "one", title: "One", html: "<p>1</p>" });
    await service.sendWebhooks();
    const [request] = receiver.requests;
    const { body = "", headers = {} } = request ?? {};
    const message = verifyWebhook({ secret: webhook.secret ?? "", headers, body });
    expect(message).toMatchObject({ type: "page.published", data: { slug: "one", title: "One" } });
    const [event] = await api.events.list({ type: "page.published" });
    expect(event?.data).toEqual(message.data);
    const [delivery] = await api.webhooks.deliveries(webhook.id, { status: "delivered" });
    expect(delivery).toMatchObject({ id: message.id, attempts: 1, lastAttempt: { status: 200, answer: "thanks" } });
  });

  it("can be changed, tested, and deleted", async () => {
    const { service, api } = await open(routeSet);
    const receiver = await startReceiver();
    const { id, secret } = await api.webhooks.create({ url: receiver.url, events: ["lead.captured"] });
    const test = await api.webhooks.test(id);
    await service.sendWebhooks();
    await api.webhooks.retry(test.id);
    await service.sendWebhooks();
    expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual([test.id, test.id]);
    const rotated = await api.webhooks.update(id, { rotateSecret: true });
    expect([rotated.secret === secret, (await api.webhooks.get(id))?.secret]).toEqual([false, undefined]);
    expect((await api.webhooks.update(id, { enabled: false })).disabledReason).toBe("switched-off");
    await api.webhooks.delete(id);
    expect([await api.webhooks.get(id), (await api.webhooks.list()).items]).toEqual([undefined, []]);
  });

  it("aren't requested if the service doesn't announce them", async () => {
    const { service } = await open(routeSet);
    const api = testClient({ baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey, routeSet });
    for (const call of [api.keys.list(), api.webhooks.list(), api.events.list()]) {
      await expect(call).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
    }
  });
});
