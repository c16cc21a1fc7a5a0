import { describe, expect, it } from "vitest";
import { openRunningService, clientOf, type Fields, type Send } from "../open-service.ts";
import { addWebhook, openSender, publish, startReceiver } from "./receiver.ts";

async function eventsOf(send: Send): Promise<readonly Fields[]> {
  return (await send("GET", "/api/events")).items.toReversed();
}

async function typesAfter(work: (send: Send) => Promise<unknown>): Promise<readonly unknown[]> {
  // Different times, so that the list has one order.
  let time = Date.parse("2026-01-01");
  const { send } = openSender({ now: () => new Date(time++) });
  await work(send);
  return (await eventsOf(send)).map(({ type, data }) => {
    const { reason } = Object(data);
    return reason === undefined ? type : `${type} ${reason}`;
  });
}

describe("a page change emits", () => {
  it.each([
    ["published, if it is new", [{}], ["page.published"]],
    ["nothing, if it is a new draft", [{ status: "draft" }], []],
    ["updated, if it was published before", [{}, { title: "New" }], ["page.published", "page.updated"]],
    ["nothing, if nothing changed", [{}, {}], ["page.published"]],
    ["nothing, if a draft stays a draft", [{ status: "draft" }, { status: "draft", title: "New" }], []],
    ["published, if a draft is published", [{ status: "draft" }, {}], ["page.published"]],
    [
      "deleted if it is unpublished, and published if it is published again",
      [{}, { status: "draft" }, {}],
      ["page.published", "page.deleted unpublished", "page.published"],
    ],
  ] as const)("%s", async (_, changes, expected) => {
    const types = await typesAfter(async (send) => {
      for (const change of changes) await publish(send, "one", change);
    });
    expect(types).toEqual(expected);
  });

  it("deleted, if it is deleted", async () => {
    const types = await typesAfter(async (send) => {
      await publish(send, "one");
      await send("DELETE", "/api/pages/one");
    });
    expect(types).toEqual(["page.published", "page.deleted deleted"]);
  });

  it("deleted, for each page that is deleted with its site", async () => {
    const types = await typesAfter(async (send) => {
      const { body } = await send("POST", "/api/sites", { json: { name: "Site" } });
      await publish(send, "one", { siteId: body.id });
      await publish(send, "two", { siteId: body.id });
      await publish(send, "other");
      await send("DELETE", `/api/sites/${body.id}?pages=delete`);
    });
    expect(types.slice(3)).toEqual(["page.deleted deleted", "page.deleted deleted"]);
  });

  it("nothing, if the change was rejected", async () => {
    const types = await typesAfter(async (send) => {
      await publish(send, "BAD");
      await publish(send, "one", { html: " " });
      await send("DELETE", "/api/pages/none");
    });
    expect(types).toEqual([]);
  });
});

describe("an event", () => {
  it("contains the page, its public address, and the request that changed it", async () => {
    const { service, send } = openSender();
    const { body } = await send("PUT", "/api/pages/one", {
      json: { html: "<p>1</p>", title: "One" },
      headers: { "X-Request-Id": "mine-7" },
    });
    expect(await eventsOf(send)).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
        type: "page.published",
        createdAt: expect.any(String),
        data: {
          id: body.id,
          slug: "one",
          url: `${service.pagesUrl}/p/one`,
          title: "One",
          status: "published",
          version: 1,
          requestId: "mine-7",
        },
      },
    ]);
  });

  it("can be filtered by type, and paginated", async () => {
    const { send } = openSender();
    for (const slug of ["one", "two", "three"]) await publish(send, slug);
    await publish(send, "one", { title: "New" });
    const updated = await send("GET", "/api/events?type=page.updated");
    expect(updated.items.map(({ type }) => type)).toEqual(["page.updated"]);
    const first = await send("GET", "/api/events?limit=3");
    const second = await send("GET", `/api/events?limit=3&cursor=${first.body.nextCursor}`);
    expect([first.items.length, second.items.length, second.body.nextCursor]).toEqual([3, 1, null]);
  });

  it("doesn't exist if its change was rolled back", async () => {
    const receiver = await startReceiver();
    const service = await openRunningService({ background: false, allowNetworks: ["127.0.0.1"] });
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    await addWebhook(send, { url: receiver.url });
    service.setFaults({
      rules: [{ operation: "pages.put", count: 1, fault: { kind: "reset", when: "before-commit" } }],
    });
    await expect(publish(send, "one")).rejects.toThrow();
    expect([(await eventsOf(send)).length, await service.sendWebhooks()]).toEqual([0, 0]);
    await publish(send, "one");
    expect([(await eventsOf(send)).length, await service.sendWebhooks()]).toEqual([1, 1]);
  });
});
