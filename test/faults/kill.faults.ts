import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { findNewKinds, killAtEach } from "./kill-at-each.ts";
import { openSetting, type Setting } from "./world.ts";

const PAGES = 60;

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
});
afterAll(() => setting.close());

it("a publish of 60 pages converges after kill -9 on every request that the service has handled", async ({ task }) => {
  const numbers = setting.requests.map((_, index) => index + 1);
  const row = await killAtEach(setting, { name: "kill -9 after each request", numbers, moment: "after" });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
});

it("a publish of 60 pages converges after kill -9 before each new kind of request arrives", async ({ task }) => {
  const numbers = findNewKinds(setting);
  const row = await killAtEach(setting, { name: "kill -9 before a request", numbers, moment: "before" });
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
});
