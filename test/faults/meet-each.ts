import type { NetworkFault } from "./faults.ts";
import type { Meddle } from "./proxy.ts";
import type { FaultRow } from "./table.ts";
import { sumUp, tryRun, type PlacedVerdict } from "./verdict.ts";
import { createVirtualTime, type Setting } from "./world.ts";

// A short timeout, so that a row doesn't take minutes.
const TIMEOUT_MS = 250;

/** Applies one fault to every request of a run in turn. */
export async function meetEach(
  fault: NetworkFault,
  { name, setting }: { readonly name: string; readonly setting: Setting },
): Promise<FaultRow> {
  const verdicts: PlacedVerdict[] = [];
  for (let at = 1; at <= setting.requests.length; at++) {
    const verdict = await tryFault(fault, { at, setting });
    if (verdict !== undefined) verdicts.push(verdict);
  }
  return sumUp(name, verdicts);
}

/** Returns `undefined` if the fault doesn't apply to this request. */
async function tryFault(
  fault: NetworkFault,
  { at, setting }: { readonly at: number; readonly setting: Setting },
): Promise<PlacedVerdict | undefined> {
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
