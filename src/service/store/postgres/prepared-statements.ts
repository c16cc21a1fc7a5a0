import type { QueryConfig } from "pg";
import { isInFailedTransaction, isStalePlan, sqlStateOf } from "./sql-state.ts";

/** Gives statements names, by which PostgreSQL parses and plans each of them once for a connection. */
export interface PreparedStatements {
  /** Sends a statement; one that can't be run by its name is sent again without. */
  run<Result>(statement: Statement, send: (query: QueryConfig) => Promise<Result>): Promise<Result>;
}

interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

// The service has a few hundred statements; the bound only keeps what unforeseen ones take of the server in check.
const MAX_NAMES = 500;

export function createPreparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  let isOn = true;

  function nameOf({ sql, values }: Statement): string | undefined {
    // Without values it may be several statements, which no name can stand for.
    if (!isOn || values.length === 0) return undefined;
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const name = `imprint_${names.size}`;
    names.set(sql, name);
    return name;
  }

  return {
    async run(statement, send) {
      const { sql: text, values } = statement;
      const name = nameOf(statement);
      try {
        return await send({ name, text, values });
      } catch (error) {
        if (name === undefined || !isStalePlan(sqlStateOf(error))) throw error;
        isOn = false;
        return await send({ text, values }).catch((again: unknown) => {
          // The transaction has failed with the first one. Its error says that it can be done again.
          throw isInFailedTransaction(sqlStateOf(again)) ? error : again;
        });
      }
    },
  };
}
