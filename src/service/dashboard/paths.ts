// Known without loading the dashboard, so that a service that nobody looks at never does.

export interface Link {
  readonly title: string;
  readonly path: string;
}

export const NAVIGATION: readonly { readonly group?: string; readonly links: readonly Link[] }[] = [
  { links: [{ path: "/", title: "Overview" }] },
  {
    group: "Content",
    links: [
      { path: "/pages", title: "Pages" },
      { path: "/sites", title: "Sites" },
      { path: "/releases", title: "Releases" },
      { path: "/library", title: "Library" },
      { path: "/blogs", title: "Blogs" },
      { path: "/brand-kits", title: "Brand kits" },
    ],
  },
  {
    group: "Visitors",
    links: [
      { path: "/analytics", title: "Analytics" },
      { path: "/forms", title: "Forms" },
    ],
  },
  {
    group: "Service",
    links: [
      { path: "/domains", title: "Domains" },
      { path: "/keys", title: "API keys" },
      { path: "/clients", title: "Connected apps" },
      { path: "/webhooks", title: "Webhooks" },
      { path: "/requests", title: "Requests" },
      { path: "/settings", title: "Settings" },
    ],
  },
];

const SECTIONS = NAVIGATION.flatMap(({ links }) => links);
const OTHER_PATHS: readonly string[] = ["/edit", "/sign-in", "/sign-out", "/_dashboard"];

/** Whether an address of the app's host is one of the dashboard. */
export function isDashboardPath(path: string): boolean {
  return findSection(path) !== undefined || OTHER_PATHS.includes(rootOf(path));
}

/** The section that a page of the dashboard belongs to. */
export function findSection(path: string): Link | undefined {
  const wanted = rootOf(path) === "/edit" ? "/pages" : rootOf(path);
  return SECTIONS.find((link) => link.path === wanted);
}

function rootOf(path: string): string {
  return `/${path.split("/", 2)[1] ?? ""}`;
}
