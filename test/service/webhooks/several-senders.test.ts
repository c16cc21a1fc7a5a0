import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../src/service.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { addWebhook, advance, deliveriesOf, openSender, publish, startReceiver } from "./receiver.ts";

function openOn(dataDir: string) {
  const service = createService({ dataDir, dev: true, background: false, allowNetworks: ["127.0.0.0/8"] });
  onTestFinished(() => service.close());
  return { service, send: clientOf(service, { routeSet: "a" }) };
}

describe("several services on one database", () => {
  it("send each delivery once between them", async () => {
    const dataDir = await temporaryFolder();
    const receiver = await startReceiver();
    const [one, two] = [openOn(dataDir), openOn(dataDir)];
    await addWebhook(one.send, { url: receiver.url });
    for (let number = 0; number < 40; number++) await publish(one.send, `page-${number}`);
    const sent = await Promise.all([one.service.sendWebhooks(), two.service.sendWebhooks()]);
    expect(sent[0] + sent[1]).toBe(40);
    const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
  });
});

describe("a service that closes", () => {
  it("releases its pending deliveries at once", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const receiver = await startReceiver((_, count) => {
      arrived();
      return count === 1 ? new Promise(() => {}) : {};
    });
    const dataDir = await temporaryFolder();
    const first = await openRunningService({ ephemeral: false, dataDir, allowNetworks: ["127.0.0.0/8"] });
    const send = clientOf(first, { routeSet: "a", transport: "over HTTP" });
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await arrival;
    await first.close();
    const second = openOn(dataDir);
    expect(await second.service.sendWebhooks()).toBe(1);
    expect((await deliveriesOf(second.send, id))[0]).toMatchObject({ status: "delivered", attempts: 1 });
    const [before, after] = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(after).toBe(before);
  });
});

describe("delivery history", () => {
  it("is kept for 30 days", async () => {
    const receiver = await startReceiver();
    const { service, send } = openSender({ background: true });
    const { id } = await addWebhook(send, { url: receiver.url });
    await publish(send, "one");
    await service.sendWebhooks();
    await advance(send, 29 * 24 * 3_600_000);
    await publish(send, "two");
    await service.sendWebhooks();
    await service.runJobs();
    expect((await send("GET", "/api/events")).items).toHaveLength(2);
    await advance(send, 2 * 24 * 3_600_000);
    await service.runJobs();
    const { items } = await send("GET", "/api/events?limit=100");
    expect(items.map(({ data }) => Object(data).slug)).toEqual(["two"]);
    expect((await deliveriesOf(send, id)).some(({ type }) => type === "page.published")).toBe(true);
  });
});
