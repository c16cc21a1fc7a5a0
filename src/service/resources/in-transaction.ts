import { writeTransaction, type WriteScope } from "../store/write-transaction.ts";
import type { Context } from "./context.ts";

/**
 * Runs a rule in a transaction. It may be run again when it lost a race, so it changes nothing but the database. Webhooks
 * are sent after it: before, the sender would find nothing to send.
 */
export async function inTransaction<Result>(
  context: Context,
  rule: (context: Context) => Promise<Result>,
  scope?: WriteScope,
): Promise<Result> {
  let isWoken = false;
  const wakeSender = () => {
    isWoken = true;
  };
  const result = await writeTransaction(
    context.database,
    (database) => rule({ ...context, database, wakeSender }),
    scope,
  );
  if (isWoken) context.wakeSender();
  return result;
}
