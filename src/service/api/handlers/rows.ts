import type { OperationName } from "../../../contract/operations.ts";
import type { Context } from "../../resources/context.ts";
import type { Slice, Window } from "../../store/keyset.ts";
import type { WriteScope } from "../../store/transactions.ts";
import type { Call, Handler } from "../call.ts";
import { listReply, windowOf, type PagingQuery, type Reply } from "../reply.ts";

type Fields = Readonly<Record<string, unknown>>;
type Work<Name extends OperationName, Result> = (context: Context, call: Call<Name>) => Promise<Result>;

/** Lists the records of the requested window. */
export function listing<Name extends OperationName, Item>(
  list: (context: Context, call: Call<Name>, window: Window) => Promise<Slice<Item>>,
  view: (item: Item, context: Context) => Fields,
): Handler<Name> {
  return async (call) => {
    const { context } = call;
    // The query of every list has the fields for paging.
    const slice = await list(context, call, windowOf(call.query as PagingQuery, context));
    return listReply(slice, { context, view: (item) => view(item, context) });
  };
}

/** Runs a change in one transaction. */
export function writing<Name extends OperationName>(change: Work<Name, Reply>, scope?: WriteScope): Handler<Name> {
  return (call) => call.write((context) => change(context, call), scope);
}

/** Runs a change and responds with the changed record. */
export function changing<Name extends OperationName>(change: Work<Name, Fields>, scope?: WriteScope): Handler<Name> {
  return writing(
    async (context, call) => ({ kind: "record", status: 200, record: await change(context, call) }),
    scope,
  );
}

/** Runs a change and responds without a body. */
export function removing<Name extends OperationName>(remove: Work<Name, void>): Handler<Name> {
  return writing(async (context, call) => {
    await remove(context, call);
    return { kind: "empty", status: 204 };
  });
}
