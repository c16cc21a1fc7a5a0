import { includesScope } from "../../contract/people.ts";
import type { Scope } from "../../contract/scopes.ts";

// Known without loading the dashboard, so that a service where it isn't used never does.

export interface Link {
  readonly title: string;
  readonly path: string;
}

/** A section with the scopes that its pages require, those of the corresponding API operations. */
export interface SectionLink extends Link {
  readonly reads: Scope;
  /** For all submissions to the section. */
  readonly writes: Scope;
  /** Whether it exists only if the service runs in a project and may edit its files. */
  readonly needsProject?: true;
}

const OWNERS = { reads: "account:write", writes: "account:write" } as const;

export const NAVIGATION: readonly {
  readonly group?: string;
  readonly links: readonly SectionLink[];
}[] = [
  { links: [{ path: "/", title: "Overview", reads: "account:read", writes: "account:write" }] },
  {
    group: "Content",
    links: [
      { path: "/pages", title: "Pages", reads: "pages:read", writes: "pages:write" },
      { path: "/sites", title: "Sites", reads: "sites:read", writes: "sites:write" },
      { path: "/releases", title: "Releases", reads: "pages:read", writes: "pages:write" },
      { path: "/library", title: "Library", reads: "library:read", writes: "library:write" },
      { path: "/blogs", title: "Blogs", reads: "blogs:read", writes: "blogs:write" },
      // Project files are only useful to users who may change them.
      { path: "/files", title: "Project posts", reads: "blogs:write", writes: "blogs:write", needsProject: true },
      { path: "/brand-kits", title: "Brand kits", reads: "brand:read", writes: "brand:write" },
    ],
  },
  {
    group: "Visitors",
    links: [
      { path: "/analytics", title: "Analytics", reads: "analytics:read", writes: "analytics:read" },
      { path: "/forms", title: "Forms", reads: "forms:read", writes: "forms:write" },
    ],
  },
  {
    group: "Service",
    links: [
      { path: "/domains", title: "Domains", reads: "domains:read", writes: "domains:write" },
      { path: "/people", title: "People", ...OWNERS },
      { path: "/keys", title: "API keys", ...OWNERS },
      // Everyone has their own apps and sessions.
      { path: "/clients", title: "Connected apps", reads: "account:read", writes: "account:read" },
      { path: "/webhooks", title: "Webhooks", ...OWNERS },
      { path: "/requests", title: "Requests", ...OWNERS },
      { path: "/audit", title: "Audit log", ...OWNERS },
      { path: "/settings", title: "Settings", reads: "account:read", writes: "account:read" },
    ],
  },
];

const SECTIONS = NAVIGATION.flatMap(({ links }) => links);
const OTHER_PATHS: readonly string[] = ["/edit", "/search", "/sign-in", "/sign-out", "/_dashboard"];

/** Whether a path on the app's host belongs to the dashboard. */
export function isDashboardPath(path: string): boolean {
  return findSection(path) !== undefined || OTHER_PATHS.includes(rootOf(path));
}

/** Returns the section of a dashboard page. */
export function findSection(path: string): SectionLink | undefined {
  const wanted = rootOf(path) === "/edit" ? "/pages" : rootOf(path);
  return SECTIONS.find((link) => link.path === wanted);
}

/** Whether scopes allow viewing a page, or making changes there. */
export function isAllowed(scopes: readonly Scope[] | null, path: string, wish: "reads" | "writes"): boolean {
  const section = findSection(path);
  return section === undefined || includesScope(scopes, section[wish]);
}

function rootOf(path: string): string {
  return `/${path.split("/", 2)[1]?.split("?", 1)[0] ?? ""}`;
}
