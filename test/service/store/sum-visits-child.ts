// Sums earlier visits in its own process. Reports the start of each slice, and its end before the commit, and waits each
// time until the test answers, which may kill the process instead.
import { once } from "node:events";
import { openStore } from "../../../src/service/store/open-store.ts";
import { sumEarlierVisits } from "../../../src/service/store/sum-visits.ts";
import { slicesOf } from "./slices-of.ts";

const [dataDir, databaseUrl] = process.argv.slice(2);
const store = await openStore({ dataDir, databaseUrl, now: new Date() });
const slices = slicesOf(store.database);

async function report(moment: string): Promise<void> {
  const answered = once(process, "message");
  process.send?.(moment);
  await answered;
}

await sumEarlierVisits({
  ...slices,
  run: (slice) =>
    slices.run(async (transaction) => {
      await report("start");
      const isLeft = await slice(transaction, 10);
      await report("end");
      return isLeft;
    }),
});
await store.close();
process.disconnect();
