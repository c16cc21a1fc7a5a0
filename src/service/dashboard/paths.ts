// Known without loading the dashboard, so that a service that nobody looks at never does.

/** The first segments of the dashboard's addresses. */
const SEGMENTS: ReadonlySet<string> = new Set([
  "",
  "sign-in",
  "sign-out",
  "pages",
  "edit",
  "sites",
  "library",
  "blogs",
  "analytics",
  "forms",
  "domains",
  "brand-kits",
  "keys",
  "clients",
  "webhooks",
  "requests",
  "settings",
  "_dashboard",
]);

/** Whether an address of the app's host is one of the dashboard. */
export function isDashboardPath(path: string): boolean {
  const [, first = ""] = path.split("/", 2);
  return SEGMENTS.has(first);
}
