import { createContext, useContext, type Child } from "hono/jsx";
import type { Scope } from "../../../contract/scopes.ts";
import { isAllowed } from "../paths.ts";

/** The scopes of the user. */
export const Rights = createContext<readonly Scope[] | null>([]);

/** Shows content only to users who may make changes at a path. */
export function ForChange({
  to,
  children,
  instead,
}: {
  readonly to: string;
  readonly children: Child;
  /** What others see. Default: nothing. */
  readonly instead?: Child;
}) {
  return <>{isAllowed(useContext(Rights), to, "writes") ? children : instead}</>;
}
