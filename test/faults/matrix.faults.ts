import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { NETWORK_FAULTS } from "./faults.ts";
import { meetEach } from "./meet-each.ts";
import { openSetting, type Setting } from "./world.ts";

const PAGES = 3;

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
});
afterAll(() => setting.close());

it.for(NETWORK_FAULTS)("$name in every request of a first publish does no harm", async (fault, { task }) => {
  const row = await meetEach(fault, { name: fault.name, setting });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
  expect(row.cell).not.toBe("0 + 0");
});
