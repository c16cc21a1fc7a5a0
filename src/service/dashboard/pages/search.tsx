// Global search over the dashboard's records and actions, as a page and for the dialog on every page.
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { includesScope } from "../../../contract/people.ts";
import { listBlogs } from "../../store/blogs.ts";
import { searchRecords, type FoundRecord, type SearchedKind } from "../../store/search.ts";
import { newest, type DashboardApp, type DashboardContext } from "../context.ts";
import { onePerPicture, USUAL_VARIANTS } from "../desk/one-per-picture.ts";
import { pathOf } from "../desk/project-files.ts";
import { isAllowed, NAVIGATION, type Link } from "../paths.ts";
import { Filter } from "../parts/fields.tsx";
import { Empty, type Query, searchOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { domainTitle, fileTitle, formTitle, searchedInDomains } from "../parts/titles.ts";

/** Number of results per kind: in the dialog, and on the page. */
const FEW = 5;
const MANY = 20;
const MAX_LENGTH = 100;
const OFFERED_BLOGS = 20;

/** Kinds of records in order of the results; the path of a section determines who may see them. */
interface Kind {
  readonly kind: SearchedKind;
  readonly title: string;
  readonly section: string;
  readonly pathOf: (found: FoundRecord) => string;
  /** Default: its name. */
  readonly titleOf?: (found: FoundRecord) => string;
  /** The text to search for, if records are stored in another form than shown. */
  readonly searched?: (text: string) => string;
  /** If the section's list has the same search, the filters to add. */
  readonly list?: Query;
}

const PREVIEWS = "Pages of previews";

const KINDS: readonly Kind[] = [
  {
    kind: "page",
    title: "Pages",
    section: "/pages",
    pathOf: ({ id }) => `/edit/${id}`,
    list: {},
  },
  {
    kind: "post",
    title: "Posts",
    section: "/blogs",
    pathOf: ({ blog, detail }) => `/blogs/${blog}/posts/${detail}`,
  },
  {
    kind: "asset",
    title: "Library",
    section: "/library",
    pathOf: ({ id }) => `/library/${id}`,
    titleOf: fileTitle,
    list: {},
  },
  { kind: "site", title: "Sites", section: "/sites", pathOf: ({ id }) => `/sites/${id}` },
  { kind: "blog", title: "Blogs", section: "/blogs", pathOf: ({ detail }) => `/blogs/${detail}` },
  {
    kind: "form",
    title: "Forms",
    section: "/forms",
    pathOf: ({ id }) => `/forms/${id}`,
    titleOf: ({ name, detail }) => formTitle({ name, pageSlug: detail ?? "" }),
  },
  {
    kind: "brandKit",
    title: "Brand kits",
    section: "/brand-kits",
    pathOf: ({ id }) => `/brand-kits/${id}`,
  },
  {
    kind: "domain",
    title: "Domains",
    section: "/domains",
    pathOf: ({ id }) => `/domains/${id}`,
    titleOf: ({ name }) => domainTitle(name),
    searched: searchedInDomains,
  },
  { kind: "user", title: "People", section: "/people", pathOf: ({ id }) => `/people/${id}` },
  {
    kind: "webhook",
    title: "Webhooks",
    section: "/webhooks",
    pathOf: ({ id }) => `/webhooks/${id}`,
  },
  {
    kind: "previewPage",
    title: PREVIEWS,
    section: "/pages",
    pathOf: ({ id }) => `/edit/${id}`,
    list: { part: "previews" },
  },
];

/** An action or section, with other words to find it by. */
interface Entry extends Link {
  readonly words: string;
}

const ACTIONS: readonly Entry[] = [
  { title: "Upload files", path: "/library/new", words: "add new picture image upload" },
  { title: "New blog", path: "/blogs/new", words: "create add" },
  { title: "New site", path: "/sites/new", words: "create add" },
  { title: "Invite someone", path: "/people", words: "add new user person member" },
  { title: "New API key", path: "/keys", words: "create add token secret" },
  { title: "Add a webhook", path: "/webhooks/new", words: "new create" },
  { title: "Add a domain", path: "/domains", words: "new custom host dns" },
  { title: "Extract a brand kit", path: "/brand-kits", words: "new colors fonts logo" },
];

const SETTINGS: readonly Entry[] = [
  { title: "Settings: Account", path: "/settings#account", words: "plan version name" },
  { title: "Settings: Usage and limits", path: "/settings#usage", words: "quota size" },
  { title: "Settings: Addresses", path: "/settings#addresses", words: "api url route" },
  { title: "Settings: Mail", path: "/settings#mail", words: "smtp server email" },
  { title: "Settings: Retention", path: "/settings#kept", words: "days delete privacy" },
  {
    title: "Settings: Sessions",
    path: "/settings#sessions",
    words: "sign out log out everywhere browsers",
  },
];

/** Registers the search as a page that works without scripts, and its results alone for the dialog. */
export function registerSearchPages(app: DashboardApp): void {
  app.get("/search", async (context) => {
    const text = textOf(context);
    const groups = await search(context, text, MANY);
    return renderPage(
      context,
      { title: "Search" },
      <>
        <Filter
          fields={{ q: { label: "Find anything", kind: "search", placeholder: PLACEHOLDER } }}
          values={{ q: text }}
        />
        <Results groups={groups} text={text} />
      </>,
    );
  });
  app.get("/search/results", async (context) => {
    const text = textOf(context);
    const groups = await search(context, text, FEW);
    return context.html(String(html`${<Results groups={groups} text={text} />}`), 200, {
      "Cache-Control": "no-store",
    });
  });
}

const PLACEHOLDER = "A page, post, file, person or action";

function textOf({ req }: DashboardContext): string {
  return (req.query("q") ?? "").trim().slice(0, MAX_LENGTH);
}

interface Result extends Link {
  readonly detail?: string | null;
}

interface Group {
  readonly title: string;
  readonly results: readonly Result[];
  /** The list with more results. */
  readonly more?: string | undefined;
}

async function search(context: DashboardContext, text: string, limit: number): Promise<readonly Group[]> {
  const [actions, places] = await findEntries(context, text);
  const records = text === "" ? [] : await findRecords(context, text, limit);
  const isNamed = actions.results.some(({ title }) => hasWords(title, text, "at the start"));
  const groups = isNamed ? [actions, ...records, places] : [...records, actions, places];
  return groups.filter(({ results }) => results.length > 0);
}

async function findRecords(context: DashboardContext, text: string, limit: number): Promise<readonly Group[]> {
  const { records, person } = context.var;
  const allowed = KINDS.filter(({ section }) => isAllowed(person.scopes, section, "reads"));
  const groups = await Promise.all(
    allowed.map(async ({ kind, title, section, pathOf: path, titleOf, searched, list }): Promise<Group> => {
      const read = async (most: number) =>
        await searchRecords(records.reader, records.accountId, { kind, text: searched?.(text) ?? text, limit: most });
      const found = kind === "asset" ? onePerPicture(await read(limit * USUAL_VARIANTS)) : await read(limit);
      return {
        title,
        results: found
          .slice(0, limit)
          .map((each) => ({ title: titleOf?.(each) ?? each.name, detail: each.detail, path: path(each) })),
        more: list && found.length >= limit ? section + searchOf({ q: text, ...list }) : undefined,
      };
    }),
  );
  const isOfPreviews = ({ title }: Group) => title === PREVIEWS;
  const files = await findFiles(context, text, limit);
  return [...groups.filter((group) => !isOfPreviews(group)), ...files, ...groups.filter(isOfPreviews)];
}

/** Searches the project's posts. */
async function findFiles({ var: { core, person } }: DashboardContext, text: string, limit: number) {
  const files = core.settings.projectFiles;
  if (files === undefined || !isAllowed(person.scopes, "/files", "writes")) return [];
  const posts = (await files.list()).filter(({ file, title = "" }) => hasWords(`${title} ${file}`, text, "anywhere"));
  const results = posts.slice(0, limit).map(({ file, title }) => {
    return { title: title ?? file, detail: file, path: `${pathOf(file)}/edit` };
  });
  return [{ title: "Project posts", results }];
}

/** Searches actions, then sections and settings that the user may access. */
async function findEntries(context: DashboardContext, text: string): Promise<readonly [Group, Group]> {
  const { records, person, core } = context.var;
  const { items: blogs } = await listBlogs(records.reader, records.accountId, newest(OFFERED_BLOGS));
  const writing = blogs.map(({ slug, name }): Entry => {
    return {
      title: `Write a post in ${name}`,
      path: `/blogs/${slug}/new?copy=`,
      words: "new create add post",
    };
  });
  const hasProject = core.settings.projectFiles !== undefined;
  const project: Entry = {
    title: "Write a project post",
    path: "/files/new",
    words: "new create add markdown",
  };
  const actions = [...writing, ...(hasProject ? [project] : []), ...ACTIONS];
  const sections = NAVIGATION.flatMap(({ links }) => links)
    .filter(({ reads, needsProject }) => includesScope(person.scopes, reads) && (hasProject || needsProject !== true))
    .map(({ title, path }): Entry => ({ title, path, words: "" }));
  const matching = (entries: readonly Entry[]) =>
    entries.filter(({ title, words }) => hasWords(`${title} ${words}`, text, "at the start"));
  return [
    {
      title: "Actions",
      results: matching(actions.filter(({ path }) => isAllowed(person.scopes, path, "writes"))),
    },
    { title: "Go to", results: matching(text === "" ? sections : [...sections, ...SETTINGS]) },
  ];
}

function hasWords(text: string, wanted: string, where: "anywhere" | "at the start"): boolean {
  const inside = ` ${text.toLowerCase()}`;
  const words = wanted.toLowerCase().split(/\s+/);
  return words.every((word) => inside.includes(where === "anywhere" ? word : ` ${word}`));
}

function Results({ groups, text }: { readonly groups: readonly Group[]; readonly text: string }) {
  if (groups.length === 0) {
    return <Empty>Nothing has “{text}” in its name. Check the spelling, or try one word of it.</Empty>;
  }
  return (
    <div class="found">
      {groups.map(({ title, results, more }) => (
        <section aria-label={title}>
          <h2>{title}</h2>
          <ul class="plain-list">
            {results.map((result) => (
              <li>
                <ResultLink result={result} />
              </li>
            ))}
            {more !== undefined && (
              <li>
                <a href={more}>All that match in {title}</a>
              </li>
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ResultLink({ result: { title, detail = null, path } }: { readonly result: Result }): Child {
  return (
    <a href={path}>
      {title} {detail !== null && detail !== "" && detail !== title && <small>{detail}</small>}
    </a>
  );
}
