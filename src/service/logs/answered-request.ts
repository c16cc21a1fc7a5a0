import type { NotedRequest } from "../development/request-log.ts";
import type { ExchangeFacts } from "../exchange.ts";

/** A request that was answered, as far as logs may tell of it. */
export interface AnsweredRequest extends NotedRequest, ExchangeFacts {
  readonly requestId: string;
}
