import type { DashboardApp } from "../../scene.ts";
import { registerDomainChanges } from "./change.tsx";
import { registerDomainDeletion } from "./delete.tsx";
import { registerDomainList } from "./list.tsx";

/** Custom domains: the list, and one with what has to be set at the DNS host. */
export function registerDomainPages(app: DashboardApp): void {
  registerDomainList(app);
  registerDomainChanges(app);
  registerDomainDeletion(app);
}
