import { createContext, useContext, type Child } from "hono/jsx";
import type { Scope } from "../../../contract/scopes.ts";
import { isAllowed } from "../paths.ts";

/** What whoever looks at the page may do. */
export const Rights = createContext<readonly Scope[] | null>([]);

/** What is shown only to who may change something at a path. */
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
