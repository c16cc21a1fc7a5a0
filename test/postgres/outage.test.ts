import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type Service } from "../../src/service.ts";
import { clientOf, visit } from "../service/open-service.ts";
import { findPostgres, startPostgres, type PostgresServer } from "./start-postgres.ts";

/** A separate server, which the test can stop. */
async function openOnOwnServer(): Promise<{ readonly postgres: PostgresServer; readonly service: Service }> {
  const postgres = await startPostgres((await findPostgres()) ?? "");
  const service = createService({ ephemeral: true, databaseUrl: postgres.url });
  onTestFinished(async () => {
    await service.close();
    await postgres.remove();
  });
  return { postgres, service };
}

describe("a database outage", () => {
  it("causes 503 with Retry-After, and ends when the database is back", async () => {
    const { postgres, service } = await openOnOwnServer();
    const send = clientOf(service, { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    await postgres.stop();
    // The first requests use existing connections.
    for (let attempt = 0; attempt < 3; attempt++) {
      const read = await send("GET", "/api/pages");
      expect(read.status).toBe(503);
      expect(read.headers.get("Retry-After")).toBe("1");
      expect(read.headers.get("Content-Type")).toBe("application/problem+json");
      expect(read.body).toMatchObject({ code: "unavailable", status: 503 });
      expect(read.text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
      expect((await send("PUT", "/api/pages/one", { json: { html: "<p>2</p>" } })).status).toBe(503);
      const page = await visit(service, "/p/one");
      expect([page.status, page.headers.get("Retry-After")]).toEqual([503, "1"]);
    }
    await postgres.start();
    expect((await send("GET", "/api/pages/one?include=html")).body).toMatchObject({ html: "<p>1</p>", version: 1 });
    expect((await send("PUT", "/api/pages/one", { json: { html: "<p>2</p>" } })).status).toBe(200);
    expect(await (await visit(service, "/p/one")).text()).toContain("<p>2</p>");
  });

  it("during writes keeps acknowledged ones, and nothing partially", async () => {
    const { postgres, service } = await openOnOwnServer();
    const send = clientOf(service, { routeSet: "a" });
    await send("GET", "/api/pages");
    const answered: string[] = [];
    let stopped: Promise<void> | undefined;
    const writes = Array.from({ length: 60 }, async (_, number) => {
      const slug = `page-${number}`;
      const { status } = await send("PUT", `/api/pages/${slug}`, { json: { html: `<p>${slug}</p>` } });
      if (status === 201) answered.push(slug);
      if (answered.length === 20) stopped ??= postgres.stop();
      return status;
    });
    const statuses = new Set(await Promise.all(writes));
    await stopped;
    await postgres.start();
    const pages = (await send("GET", "/api/pages?limit=100")).items.map(({ slug }) => String(slug));
    const events = (await send("GET", "/api/events?limit=100")).items.map(({ data }) => String(Object(data).slug));
    expect(statuses).toEqual(new Set([201, 503]));
    expect(answered.filter((slug) => !pages.includes(slug))).toEqual([]);
    expect(events.toSorted()).toEqual(pages.toSorted());
  });
});

describe("an unusable database", () => {
  it.each([
    ["postgres://imprint:hush@127.0.0.1:1/none", "STORAGE_UNREACHABLE"],
    ["mysql://imprint:hush@127.0.0.1/none", "OPTIONS_INVALID"],
    ["not an address with hush", "OPTIONS_INVALID"],
  ])("is reported at startup, without the password: %s", async (databaseUrl, code) => {
    const service = createService({ ephemeral: true, databaseUrl });
    onTestFinished(() => service.close());
    const opening = service.fetch(new Request(`${service.url}/healthz`));
    await expect(opening).rejects.toMatchObject({ code });
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining("hush") });
  });
});
