import { expect, it, onTestFinished } from "vitest";
import { claimDelivery, insertDelivery } from "../../src/service/store/webhooks.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { freshSchemaUrl } from "./servers.ts";

// A query plan that PostgreSQL may choose, and does if the others are disabled.
const OPTIONS = ["hashjoin", "mergejoin", "hashagg", "sort", "material"]
  .map((name) => `-c enable_${name}=off`)
  .join(" ");
const NOW = new Date("2026-01-01T00:00:00Z");

it("claims one delivery at a time with every query plan", async () => {
  const databaseUrl = `${freshSchemaUrl()}&options=${encodeURIComponent(OPTIONS)}`;
  const { database, close } = await openStore({ dataDir: undefined, databaseUrl, now: NOW });
  onTestFinished(close);
  await database
    .insertInto("account")
    .values({ id: "acc_1", name: "One", createdAt: new Date(0) })
    .execute();
  const webhook = { id: "wh_1", accountId: "acc_1", url: "https://example.org", events: [], secret: "s" };
  await database
    .insertInto("webhook")
    .values({ ...webhook, createdAt: new Date(0), updatedAt: new Date(0) })
    .execute();
  for (const id of ["msg_1", "msg_2", "msg_3"]) {
    const delivery = { id, webhookId: "wh_1", eventId: null, type: "test", payload: "{}", createdAt: NOW };
    await insertDelivery(database, delivery);
  }
  const lease = { token: "one", until: new Date(NOW.getTime() + 60_000) };
  await claimDelivery(database, "wh_1", { now: NOW, lease });
  const claimed = await database.selectFrom("delivery").select("id").where("lease", "=", "one").execute();
  expect(claimed).toHaveLength(1);
});
