import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { NETWORK_FAULTS } from "./faults.ts";
import type { NetworkFault } from "./faults.ts";
import type { Meddle } from "./proxy.ts";
import { sumUp, tryRun } from "./verdict.ts";
import type { PlacedVerdict } from "./verdict.ts";
import { createVirtualTime, openSetting } from "./world.ts";
import type { Setting } from "./world.ts";

const PAGES = 3;
// Silence counts as silence after a quarter of a second, so that a row does not take minutes.
const TIMEOUT_MS = 250;

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
});
afterAll(() => setting.close());

it.for(NETWORK_FAULTS)("$name, met by every request in turn, does no harm", async (fault, { task }) => {
  const verdicts: PlacedVerdict[] = [];
  for (let at = 1; at <= setting.requests.length; at++) {
    const verdict = await tryFault(fault, at);
    if (verdict !== undefined) verdicts.push(verdict);
  }
  const row = sumUp(fault.name, verdicts);
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(0);
});

/** `undefined` when the fault could not meet this request. */
async function tryFault(fault: NetworkFault, at: number): Promise<PlacedVerdict | undefined> {
  const { proxy } = setting;
  const { meddle, met } = meetAt(fault, at);
  const verdict = await tryRun(setting, {
    connection: { timeoutMs: TIMEOUT_MS, ...createVirtualTime() },
    begin: () => proxy.meddle(meddle),
    end: () => proxy.open(),
  });
  const place = met();
  return place === undefined ? undefined : { ...verdict, place: `request ${at} (${place})` };
}

function meetAt(fault: NetworkFault, at: number): { readonly meddle: Meddle; readonly met: () => string | undefined } {
  let place: string | undefined;
  return {
    met: () => place,
    meddle(exchange) {
      const request = `${exchange.method} ${exchange.path}`;
      const isFirst = exchange.number === at && fault.methods?.test(exchange.method) !== false;
      if (isFirst) place = request;
      const isAgain =
        place !== undefined && (fault.lasts === "always" || (fault.lasts === "here" && request === place));
      return isFirst || isAgain ? fault.work(exchange) : undefined;
    },
  };
}
