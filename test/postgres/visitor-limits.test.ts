import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/service.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { clientOf, visit } from "../service/open-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { freshSchemaUrl } from "./servers.ts";

it("limits a visitor's submissions across all processes, without storing the address", async () => {
  const [dataDir, databaseUrl] = [await temporaryFolder(), freshSchemaUrl()];
  const open = () => {
    const service = createService({ dataDir, databaseUrl, trustProxy: true, background: false });
    onTestFinished(() => service.close());
    return service;
  };
  const [first, second] = [open(), open()];
  const html = "<!doctype html><form method=post><input name=a></form>";
  await clientOf(first, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html } });
  const send = async (service: typeof first, address: string) => {
    const headers = { "X-Forwarded-For": address, Accept: "application/json", Origin: service.pagesUrl };
    const body = new URLSearchParams({ a: "1" });
    return (await visit(service, "/p/one", { method: "POST", body, headers })).status;
  };
  const statuses: number[] = [];
  for (let number = 0; number < 12; number++)
    statuses.push(await send(number % 2 === 0 ? first : second, "203.0.113.7"));
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
  expect(await send(second, "203.0.113.8")).toBe(201);
  const store = await openStore({ dataDir, databaseUrl, now: new Date() });
  onTestFinished(() => store.close());
  const { rows } = await sql<{ readonly caller: string }>`select caller from rate_window`.execute(store.database);
  expect([rows.length, JSON.stringify(rows).includes("203.0")]).toEqual([2, false]);
});
