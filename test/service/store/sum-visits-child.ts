// Sums up earlier visits in a process of its own, to be killed by its test after so many slices.
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
