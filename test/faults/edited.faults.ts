import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { NETWORK_FAULTS } from "./faults.ts";
import { findNewKinds, killAtEach } from "./kill-at-each.ts";
import { meetEach } from "./meet-each.ts";
import { openEditedSetting, type Setting } from "./world.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openEditedSetting(inject("world"));
});
afterAll(() => setting.close());

const NAMES = new Set([
  "connection refused",
  "reset after commit",
  "reset before commit",
  "truncated answer",
  "500 after commit",
  "401 (key revoked)",
]);
const FAULTS = NETWORK_FAULTS.filter(({ name }) => NAMES.has(name));

it.for(FAULTS)("$name in every request of a publish of edits does no harm", async (fault, { task }) => {
  const row = await meetEach(fault, { name: `edits: ${fault.name}`, setting });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
  expect(row.cell).not.toBe("0 + 0");
});

it("a publish of edits converges after kill -9 on every request that the service has handled", async ({ task }) => {
  const numbers = setting.requests.map((_, index) => index + 1);
  const row = await killAtEach(setting, { name: "edits: kill -9 after each", numbers, moment: "after" });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
});

it("a publish of edits converges after kill -9 before each new kind of request arrives", async ({ task }) => {
  const numbers = findNewKinds(setting);
  const row = await killAtEach(setting, { name: "edits: kill -9 before", numbers, moment: "before" });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
});
