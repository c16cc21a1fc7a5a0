import type { OperationName } from "../../contract/operations.ts";
import { ProblemError } from "../http/problem.ts";
import { inTransaction } from "../resources/context.ts";
import type { Database } from "../store/tables.ts";
import type { AnyHandler, Call } from "./call.ts";
import type { Reply } from "./reply.ts";

/** A call of any operation, with the query and body that its schemas have parsed. */
export interface AnyCall extends Omit<Call<OperationName>, "query" | "body" | "write"> {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Calls the handler of an operation; throws `not_implemented`.
 *
 * @param onChanged works in the transaction of a change, before it is committed
 */
export async function callHandler(
  handler: AnyHandler,
  call: AnyCall,
  onChanged: (database: Database, reply: Reply) => Promise<void>,
): Promise<Reply> {
  if (handler === undefined) throw new ProblemError("not_implemented");
  // A handler's query and body are parsed by the schemas of the same operation, which the union of all can't express.
  return await (handler as (call: AnyCall & Pick<Call<OperationName>, "write">) => Promise<Reply>)({
    ...call,
    write: (change, scope) =>
      inTransaction(
        call.context,
        async (context) => {
          const reply = await change(context);
          await onChanged(context.database, reply);
          return reply;
        },
        scope,
      ),
  });
}
