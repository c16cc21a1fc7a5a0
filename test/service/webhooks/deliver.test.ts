import { describe, expect, it } from "vitest";
import { clientOf, openRunningService } from "../open-service.ts";
import { closedPort, startSocketHost } from "../../client/host.ts";
import { addWebhook, advance, deliveriesOf, openSender, publish, startReceiver } from "./receiver.ts";

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;

describe("a webhook", () => {
  it("receives events, signed as in Standard Webhooks", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender();
    const { secret } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one", { title: "Größe" });
    expect(await service.sendWebhooks()).toBe(1);
    expect(receiver.requests[0]).toMatchObject({ method: "POST", path: "/hook" });
    expect(receiver.requests[0]?.headers["content-type"]).toBe("application/json");
    expect(receiver.messages(secret)).toEqual([
      {
        id: expect.stringMatching(/^msg_[0-9A-Za-z]{22}$/),
        type: "page.published",
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: expect.objectContaining({ slug: "one", title: "Größe", version: 1 }),
      },
    ]);
    expect(await service.sendWebhooks()).toBe(0);
  });

  it("is called in the background, without a trigger", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const receiver = await startReceiver(() => {
      arrived();
      return {};
    });
    const service = await openRunningService({ allowNetworks: ["127.0.0.1"] });
    const send = clientOf(service, { routeSet: "b", transport: "over HTTP" });
    const { secret } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await arrival;
    expect(receiver.messages(secret)).toHaveLength(1);
  });

  it("receives only the types that it subscribes to", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender();
    const { secret } = await addWebhook(send, { url: receiver.url, events: ["page.deleted"] });
    await publish(send, "one");
    await send("DELETE", "/api/pages/one");
    await service.sendWebhooks();
    expect(receiver.messages(secret).map(({ type }) => type)).toEqual(["page.deleted"]);
  });

  it("receives no events from before it existed, and one message per event", async () => {
    const [first, second] = [await startReceiver(), await startReceiver()];
    const { service, send } = openSender();
    await publish(send, "one");
    const hooks = [await addWebhook(send, { url: first.url }), await addWebhook(send, { url: second.url })];
    await publish(send, "two");
    expect(await service.sendWebhooks()).toBe(2);
    const ids = [first, second].map((receiver, index) => receiver.messages(hooks[index]?.secret ?? "")[0]?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it("lists each delivery with its response, truncated", async () => {
    const receiver = await startReceiver(() => ({ status: 202, body: `${"ä".repeat(2000)}end` }));
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    const [delivery] = await deliveriesOf(send, id);
    expect(delivery).toMatchObject({
      webhookId: id,
      eventId: expect.stringMatching(/^evt_/),
      type: "page.published",
      status: "delivered",
      attempts: 1,
      nextAttemptAt: null,
      lastAttempt: { status: 202, error: null, answer: "ä".repeat(1024), ms: expect.any(Number) },
    });
  });
});

describe("a failed delivery", () => {
  it.each([
    ["an error", { status: 500, body: "broken" }, "The receiver returned HTTP status 500."],
    ["not found", { status: 404 }, "The receiver returned HTTP status 404."],
    [
      "a redirect",
      { status: 302, headers: { location: "/other" } },
      "The receiver responded with a redirect, which is not followed.",
    ],
  ])("with %s is retried, and reports why", async (_, answer, error) => {
    const receiver = await startReceiver(() => answer);
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    expect(receiver.requests).toHaveLength(1);
    expect((await deliveriesOf(send, id))[0]).toMatchObject({
      status: "pending",
      attempts: 1,
      lastAttempt: { status: answer.status, error },
    });
  });

  it("reports a refused connection", async () => {
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: `http://127.0.0.1:${await closedPort()}/` });
    await publish(send, "one");
    await service.sendWebhooks();
    expect((await deliveriesOf(send, id))[0]).toMatchObject({
      status: "pending",
      lastAttempt: { status: null, error: "The URL could not be reached (ECONNREFUSED)." },
    });
  });

  it("is retried if the connection drops", async () => {
    const url = await startSocketHost((socket) => socket.destroy());
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url });
    await publish(send, "one");
    await service.sendWebhooks();
    expect((await deliveriesOf(send, id))[0]).toMatchObject({ status: "pending", lastAttempt: { status: null } });
  });

  it("is tried ten times over three days, under one id and with its own signature each time, then canceled", async () => {
    const receiver = await startReceiver(() => ({ status: 503 }));
    const { service, send } = openSender({ random: halfWay() });
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    const waits = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await service.sendWebhooks()).toBe(1);
      const [delivery] = await deliveriesOf(send, id);
      const { at } = Object(delivery?.lastAttempt);
      if (attempt === 10) break;
      const wait = Date.parse(String(delivery?.nextAttemptAt)) - Date.parse(String(at));
      waits.push(Math.round(wait / SECOND));
      await advance(send, wait - SECOND);
      expect(await service.sendWebhooks()).toBe(0);
      await advance(send, 2 * SECOND);
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    const [delivery] = await deliveriesOf(send, id);
    expect(delivery).toMatchObject({ status: "failed", attempts: 10, nextAttemptAt: null });
    await advance(send, 30 * HOUR);
    expect(await service.sendWebhooks()).toBe(0);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
  });

  it("waits as long as the receiver requests, in seconds or as a date, but never more than a day", async () => {
    const asked = ["120", new Date(Date.now() + HOUR).toUTCString(), "999999999", "soon"];
    const receiver = await startReceiver((_, count) => ({
      status: 429,
      headers: { "retry-after": asked[count - 1] },
    }));
    const { service, send } = openSender({ random: halfWay() });
    const { id } = await addWebhook(send, { url: receiver.url });
    for (const slug of ["a", "b", "c", "d"]) {
      await publish(send, slug);
      await service.sendWebhooks();
    }
    const waits = (await deliveriesOf(send, id)).map(({ nextAttemptAt, lastAttempt }) => {
      return (Date.parse(String(nextAttemptAt)) - Date.parse(Object(lastAttempt).at)) / SECOND;
    });
    expect(waits.sort((a, b) => a - b).map((wait) => Math.round(wait / 10) * 10)).toEqual([10, 120, 3600, 86_400]);
  });

  it("succeeds once the receiver is back, with the same id", async () => {
    const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 500 : 200 }));
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    expect((await send("GET", `/api/webhooks/${id}`)).body.failingSince).toEqual(expect.any(String));
    await advance(send, 10 * SECOND);
    await service.sendWebhooks();
    const [first, second] = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(second).toBe(first);
    expect((await deliveriesOf(send, id))[0]).toMatchObject({ status: "delivered", attempts: 2 });
    expect((await send("GET", `/api/webhooks/${id}`)).body.failingSince).toBeNull();
  });

  it("doesn't delay another webhook", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await startReceiver(async () => {
      await held;
      return {};
    });
    let arrived = 0;
    const fast = await startReceiver(() => {
      if (++arrived === 20) release();
      return {};
    });
    const { service, send } = openSender();
    await addWebhook(send, { url: slow.url });
    await addWebhook(send, { url: fast.url });
    for (let number = 0; number < 20; number++) await publish(send, `page-${number}`);
    // The slow receiver responds only once the fast one has everything.
    expect(await service.sendWebhooks()).toBe(40);
    expect([slow.requests.length, fast.requests.length]).toEqual([20, 20]);
  });

  it("doesn't mark its webhook as failing if a concurrent delivery succeeds", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const receiver = await startReceiver(async (_, count) => {
      if (count === 1) return { status: 500 };
      await released;
      return { status: 200 };
    });
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await publish(send, "two");
    const failingSince = async () => (await send("GET", `/api/webhooks/${id}`)).body.failingSince;
    const sending = service.sendWebhooks();
    await expect.poll(failingSince).toEqual(expect.any(String));
    release();
    await sending;
    expect(await failingSince()).toBeNull();
  });
});

describe("a webhook is disabled", () => {
  it("if its receiver returns 410, and receives nothing more", async () => {
    const receiver = await startReceiver(() => ({ status: 410 }));
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    expect((await send("GET", `/api/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabledReason: "gone" });
    await publish(send, "two");
    expect([await service.sendWebhooks(), receiver.requests.length]).toEqual([0, 1]);
    expect((await deliveriesOf(send, id)).map(({ status }) => status)).toEqual(["failed"]);
  });

  it("after five days without a success, and its pending deliveries are canceled", async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    await advance(send, 5 * DAY - HOUR);
    await service.sendWebhooks();
    expect((await send("GET", `/api/webhooks/${id}`)).body).toMatchObject({ enabled: true });
    await publish(send, "two");
    await advance(send, HOUR);
    await service.sendWebhooks();
    expect((await send("GET", `/api/webhooks/${id}`)).body).toMatchObject({
      enabled: false,
      disabledReason: "failing",
    });
    expect((await deliveriesOf(send, id, "?status=pending")).length).toBe(0);
  });

  it("and works again when it is enabled, and canceled deliveries can be sent manually", async () => {
    const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 410 : 200 }));
    const { service, send } = openSender();
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    const [delivery] = await deliveriesOf(send, id);
    const refused = await send("POST", `/api/webhooks/deliveries/${delivery?.id}/retry`);
    expect([refused.status, refused.body.code]).toEqual([409, "webhook_disabled"]);
    const on = await send("PATCH", `/api/webhooks/${id}`, { json: { enabled: true } });
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    const retried = await send("POST", `/api/webhooks/deliveries/${delivery?.id}/retry`);
    expect(retried.body).toMatchObject({ status: "pending", attempts: 0 });
    await service.sendWebhooks();
    const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([delivery?.id, delivery?.id]);
  });
});

/** Bytes that put every random delay in the middle, but make every id unique. */
function halfWay(): (size: number) => Uint8Array {
  let count = 0;
  return (size) => {
    if (size === 2) return Uint8Array.of(0x7f, 0xff);
    const bytes = new Uint8Array(size);
    new DataView(bytes.buffer).setUint32(size - 4, ++count);
    return bytes;
  };
}
