import { describe, expect, it, onTestFinished } from "vitest";
import { runOnce, type StoreResponse, type StoredResponse } from "../../src/service/api/idempotency.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { clientOf, fileForm, openRunningService, openService, pageForm } from "./open-service.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const KEY = { "Idempotency-Key": "key-1" };

describe("a POST with an idempotency key", () => {
  it("runs once and returns the first response when repeated", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const json = { name: "Kit" };
    const first = await send("POST", "/api/brand-kits", { json, headers: KEY });
    const second = await send("POST", "/api/brand-kits", { json, headers: KEY });
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
    expect([first, second].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, "true"]);
    expect((await send("GET", "/api/brand-kits")).items).toHaveLength(1);
  });

  it("is recognized regardless of the form's encoding", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const fields = { html: "<p>1</p>", title: "One", slug: "one" };
    await send("POST", "/api/pages", { form: pageForm(fields), headers: KEY });
    const again = await send("POST", "/api/pages", { form: pageForm(fields), headers: KEY });
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  });

  it("is rejected if the key was used with different content", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/library", { form: fileForm(["a.txt", "one"]), headers: KEY });
    const { status, body } = await send("POST", "/api/library", { form: fileForm(["a.txt", "two"]), headers: KEY });
    expect([status, body.code]).toEqual([422, "idempotency_key_reused"]);
  });

  it("can use the same key on another route", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/brand-kits", { json: { name: "x" }, headers: KEY });
    expect((await send("POST", "/api/blogs", { json: { name: "x" }, headers: KEY })).status).toBe(201);
  });

  it("is forgotten after 24 hours", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/brand-kits", { json: { name: "x" }, headers: KEY });
    await send("POST", "/api/_clock", { json: { advanceMs: 24 * 3600 * 1000 + 1 } });
    const { status, headers } = await send("POST", "/api/brand-kits", { json: { name: "y" }, headers: KEY });
    expect([status, headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  });

  it("can be retried after a failure that changed nothing", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const site = { name: "Site", brandKitId: "bk_none" };
    expect((await send("POST", "/api/sites", { json: site, headers: KEY })).status).toBe(404);
    const repeated = await send("POST", "/api/sites", { json: { name: "Site" }, headers: KEY });
    expect(repeated.status).toBe(201);
  });

  it("is remembered if it fails after its change was stored", async () => {
    const store = await openStore({ dataDir: undefined, now: NOW });
    onTestFinished(() => store.close());
    await store.database
      .insertInto("account")
      .values({ id: "acc_1", name: "One", createdAt: new Date(0) })
      .execute();
    const send = (run: (keep: StoreResponse) => Promise<StoredResponse>) =>
      runOnce(
        { database: store.database, now: NOW },
        { accountId: "acc_1", route: "POST /a/api/blogs", key: "key-1" },
        { fingerprint: "f", run, replay: (kept) => kept },
      );
    const answer = { status: 201, headers: {}, body: "{}" };
    const failing = send(async (keep) => {
      await keep(store.database, answer);
      throw new Error("The connection broke.");
    });
    await expect(failing).rejects.toThrow("The connection broke.");
    const again = send(() => Promise.reject(new Error("It ran again.")));
    expect(await again).toEqual(answer);
  });

  it("runs once if the connection drops after the change was stored", async () => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    service.setFaults({
      rules: [{ operation: "brandKits.create", count: 1, fault: { kind: "reset", when: "after-commit" } }],
    });
    await expect(send("POST", "/api/brand-kits", { json: { name: "x" }, headers: KEY })).rejects.toThrow();
    const again = await send("POST", "/api/brand-kits", { json: { name: "x" }, headers: KEY });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await send("GET", "/api/brand-kits")).items).toHaveLength(1);
  });

  it("is rejected while the first one is running", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const many = Array.from({ length: 5 }, () =>
      send("POST", "/api/brand-kits", { json: { name: "x" }, headers: KEY }),
    );
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.every(({ body }) => body.code === "idempotency_in_progress")).toBe(true);
    expect((await send("GET", "/api/brand-kits")).items).toHaveLength(1);
  });

  it.each(["", "a b", "x".repeat(256), "ü"])("is rejected with the key %j", async (key) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status } = await send("POST", "/api/brand-kits", {
      json: { name: "x" },
      headers: { "Idempotency-Key": key },
    });
    expect(status).toBe(400);
  });
});
