import { ImprintError } from "../base/error.ts";
import type { ImprintApi } from "../client/api.ts";

export interface Need {
  readonly operation: Parameters<ImprintApi["capabilities"]["operations"]["has"]>[0];
  /** What can't be done without it: "delete a site". */
  readonly deed: string;
  /** Default: the other route set, or the dashboard. */
  readonly hint?: string;
}

/** Throws `NOT_SUPPORTED`, before anybody is asked or anything is sent, when the service has no such operation. */
export function requireOperation({ capabilities, baseUrl }: ImprintApi, { operation, deed, hint }: Need): void {
  if (capabilities.operations.has(operation)) return;
  const [own, other] = capabilities.routeSet === "a" ? (["A", "B"] as const) : (["B", "A"] as const);
  throw new ImprintError("NOT_SUPPORTED", `Route set ${own}, which ${baseUrl} speaks, can't ${deed}.`, {
    hint: hint ?? `Use route set ${other} if the service offers it, or the service's dashboard.`,
  });
}
