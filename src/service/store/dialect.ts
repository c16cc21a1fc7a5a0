import { PostgresAdapter, sql, type RawBuilder } from "kysely";
import type { Database } from "./tables.ts";

// What SQLite and PostgreSQL don't say alike. Everything else is written so that it holds on both.

export function isPostgres(database: Database): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** The texts as a subquery, for `in`: one parameter however many there are. */
export function textsIn(database: Database, texts: readonly string[]): RawBuilder<string> {
  const json = JSON.stringify(texts);
  return isPostgres(database)
    ? sql`(select json_array_elements_text(cast(${json} as json)))`
    : sql`(select value from json_each(${json}))`;
}

/** Whether a column that holds a list of texts as JSON has this one. */
export function hasText(database: Database, column: string, text: string): RawBuilder<boolean> {
  const list = sql.ref(column);
  const texts = isPostgres(database)
    ? sql`json_array_elements_text(cast(${list} as json)) as item (value)`
    : sql`json_each(${list}) as item`;
  return sql<boolean>`exists (select 1 from ${texts} where item.value = ${text})`;
}
