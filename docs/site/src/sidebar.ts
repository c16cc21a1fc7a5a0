import { collectPages } from "./pages.ts";

interface Section {
  readonly label: string;
  /** Pages in reading order; missing ones are left out. */
  readonly pages?: readonly string[];
  /** Folders whose pages follow, each in a collapsed list. */
  readonly folders?: Readonly<Record<string, string>>;
}

/** The order of the docs. Pages that aren't listed here are under `REST`. */
const SECTIONS: readonly Section[] = [
  { label: "Start here", pages: ["index", "getting-started", "troubleshooting", "compare"] },
  {
    label: "Publish a site",
    pages: ["ci", "previews", "releases", "hosts", "report", "domains", "local-files", "toolbar", "recipes"],
  },
  { label: "Write and design", pages: ["posts", "posts-editors", "posts-not-yet", "brand"] },
  { label: "Manage the service", pages: ["dashboard", "people"] },
  { label: "Run your own service", pages: ["hosting", "server", "security", "webhooks", "oauth", "mcp"] },
  {
    label: "Reference",
    pages: ["commands", "options", "errors", "rewriting", "glossary", "changelog"],
    folders: { errors: "Error codes", examples: "Example files" },
  },
  {
    label: "API",
    pages: ["service-api", "specification", "route-coverage"],
    folders: { api: "Operations" },
  },
];
const REST = "More";
const LAST: Section = { label: "About the design", folders: { decisions: "Decisions" } };

interface Link {
  readonly label: string;
  readonly slug: string;
}

interface Group {
  readonly label: string;
  readonly collapsed?: boolean;
  readonly items: (Link | Group)[];
}

/** The navigation of the site: every page, once. */
export function renderSidebar(): Group[] {
  const titles = new Map(collectPages("/").map(({ id, title }) => [id, title]));
  const left = new Set(titles.keys());

  function linksOf(ids: readonly string[]): Link[] {
    return ids.filter((id) => left.delete(id)).map((slug) => ({ label: labelOf(slug, titles), slug }));
  }

  function groupOf({ label, pages = [], folders = {} }: Section): Group {
    const items: (Link | Group)[] = linksOf(pages);
    for (const [folder, name] of Object.entries(folders)) {
      const inner = linksOf([...left].filter((id) => id.startsWith(`${folder}/`)).toSorted());
      if (name === "") items.push(...inner);
      else if (inner.length > 0) items.push({ label: name, collapsed: true, items: inner });
    }
    return { label, items };
  }

  const groups = [...SECTIONS, LAST].map(groupOf);
  const rest = groupOf({ label: REST, pages: [...left].toSorted() });
  return [...groups.slice(0, -1), rest, ...groups.slice(-1)].filter(({ items }) => items.length > 0);
}

function labelOf(id: string, titles: ReadonlyMap<string, string>): string {
  return id === "index" ? "Overview" : ((titles.get(id) ?? id).split(": ")[0] ?? id);
}
