import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/service/store/open-store.ts";
import { writeTransaction } from "../../src/service/store/transactions.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { freshSchemaUrl } from "./servers.ts";

async function open(databaseUrl: string): Promise<Store> {
  const store = await openStore({ dataDir: await temporaryFolder(), databaseUrl, now: new Date() });
  onTestFinished(() => store.close());
  return store;
}

it.each(["outside of a transaction", "in a transaction"])(
  "a process continues reading, %s, while the next version adds a column",
  async (where) => {
    const databaseUrl = freshSchemaUrl();
    const [old, next] = [await open(databaseUrl), await open(databaseUrl)];
    const isInside = where === "in a transaction";
    const read = () =>
      isInside
        ? writeTransaction(old.database, (database) =>
            database.selectFrom("site").selectAll().where("id", "=", "st_1").execute(),
          )
        : old.database.selectFrom("site").selectAll().where("id", "=", "st_1").execute();
    expect(await read()).toEqual([]);
    await sql`alter table site add column motto text`.execute(next.database);
    expect(await Promise.all([read(), read(), read()])).toEqual([[], [], []]);
  },
);

it("a version rejects a later version's database", async () => {
  const databaseUrl = freshSchemaUrl();
  const { database } = await open(databaseUrl);
  await sql`insert into schema_version (version, name, applied_at) values (9999, 'later', 0)`.execute(database);
  await expect(open(databaseUrl)).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
});
