import type { HttpRequest } from "../http/request.ts";

/** Whether a browser says that its user does not want to be counted: Global Privacy Control or Do Not Track. */
export function refusesCounting({ headers }: Pick<HttpRequest, "headers">): boolean {
  return headers.get("Sec-GPC") === "1" || headers.get("DNT") === "1";
}
