import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { NETWORK_FAULTS } from "./faults.ts";
import type { NetworkFault } from "./faults.ts";
import type { Meddle } from "./proxy.ts";
import { judgeTrial, sumUp } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";
import { copyProject, createVirtualTime, openSetting, run } from "./world.ts";
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
  const verdicts: (Verdict & { readonly place: string })[] = [];
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
async function tryFault(fault: NetworkFault, at: number): Promise<(Verdict & { readonly place: string }) | undefined> {
  const { service, proxy, template } = setting;
  await service.reset();
  const { root, remove } = await copyProject(template);
  const connection = { timeoutMs: TIMEOUT_MS, ...createVirtualTime() };
  const publish = () => run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection });
  const { meddle, met } = meetAt(fault, at);
  const verdict = await judgeTrial(setting, {
    disturbed() {
      proxy.meddle(meddle);
      return publish();
    },
    calm() {
      proxy.meddle(() => undefined);
      return proxy.open();
    },
    async again() {
      // A run that was told to come back later does so.
      await connection.sleep(LATER_MS, undefined);
      return publish();
    },
  });
  await remove();
  const place = met();
  return place === undefined ? undefined : { ...verdict, place: `request ${at} (${place})` };
}

const LATER_MS = 3_600_000;

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
