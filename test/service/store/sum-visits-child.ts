// Sums earlier visits in its own process, which the test kills after a number of slices.
import { openStore } from "../../../src/service/store/open-store.ts";
import { sumEarlierVisits } from "../../../src/service/store/sum-visits.ts";
import { slicesOf } from "./slices-of.ts";

const [dataDir, databaseUrl] = process.argv.slice(2);
const store = await openStore({ dataDir, databaseUrl, now: new Date() });
const slices = slicesOf(store.database);
await sumEarlierVisits({
  ...slices,
  run: (slice) =>
    slices.run(async (transaction) => {
      const isLeft = await slice(transaction, 10);
      process.send?.("slice");
      return isLeft;
    }),
});
await store.close();
process.send?.("done");
process.disconnect();
