import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { createService } from "../../src/service.ts";
import { createHealth } from "../../src/service/host/health.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { isOnPostgres } from "./backend.ts";
import { openService } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const ask = async (service: ReturnType<typeof createService>, path: string) => {
  const answer = await service.fetch(new Request(`${service.url}${path}`));
  return [answer.status, await answer.json(), answer.headers.get("Cache-Control")];
};

it("reports that it is alive and ready", async () => {
  const service = openService();
  expect(await ask(service, "/healthz")).toEqual([200, { status: "ok" }, "no-store"]);
  const checks = { database: "ok", files: "ok" };
  expect(await ask(service, "/readyz")).toEqual([200, { status: "ready", checks }, "no-store"]);
});

it.skipIf(isOnPostgres)("isn't ready while files can't be written, but stays alive", async () => {
  const dataDir = join(await temporaryFolder(), "data");
  const service = createService({ dataDir });
  onTestFinished(() => service.close());
  expect((await ask(service, "/readyz"))[0]).toBe(200);
  await rm(join(dataDir, "blobs"), { recursive: true });
  await writeFile(join(dataDir, "blobs"), "no folder");
  const checks = { database: "ok", files: "failed" };
  expect(await ask(service, "/readyz")).toEqual([503, { status: "not-ready", checks }, "no-store"]);
  expect((await ask(service, "/healthz"))[0]).toBe(200);
});

it("isn't ready while the database doesn't respond", async () => {
  const store = await openStore({ dataDir: undefined, now: new Date() });
  const errors: string[] = [];
  const logger = { ...SILENT_LOGGER, error: (message: string) => void errors.push(message) };
  const health = createHealth({ ...store, logger });
  expect((await health.answer()).status).toBe(200);
  await store.close();
  const answer = await health.answer();
  expect([answer.status, await answer.json()]).toMatchObject([503, { checks: { database: "failed" } }]);
  expect(errors[0]).toContain("the database failed");
});
