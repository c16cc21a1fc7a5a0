import type { Route, RouteSetName } from "../../contract/route.ts";
import type { Exchange } from "../exchange.ts";
import type { HttpRequest } from "../http/request.ts";

/** One request for one row of a route set. */
export interface RouteRequest {
  readonly route: Route;
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty. */
  readonly prefix: string;
  readonly request: HttpRequest;
  /** The parameters of the path in their order. */
  readonly params: readonly string[];
  readonly exchange: Exchange;
}
