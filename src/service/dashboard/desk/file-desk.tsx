import { LRUCache } from "lru-cache";
import type { FileField, ProjectFile, ProjectFiles, ProjectPost } from "../../../contract/project-files.ts";
import { ProblemError } from "../../http/problem.ts";
import { found } from "../../resources/fields.ts";
import { renderWholePost } from "../../look/whole-post.ts";
import { listBlogs, type Blog } from "../../store/blogs.ts";
import { keepVersion } from "../../store/editing.ts";
import { findRow } from "../../store/rows.ts";
import { newest, paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import type { Field, FormValues } from "../forms.ts";
import { Filter } from "../parts/fields.tsx";
import { Badge, Empty, Table, Time, type Variant } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import type { DeskSubject } from "./desk.tsx";
import { draftOf, emptyPost } from "./post-desk.tsx";
import { registerDesk } from "./register-desk.tsx";

const SECTION = "/files";
const FILE = `${SECTION}/:file`;

/** Where the Markdown posts of the project are written that the service runs in. */
export function registerFileDesk(app: DashboardApp): void {
  app.get(SECTION, showFiles);
  app.get(FILE, (context) => context.redirect(`${pathOf(paramOf(context, "file"))}/edit`, 303));
  registerDesk(app, { route: `${FILE}/edit`, action: FILE, history: `${FILE}/history`, find: findFile });
}

function filesOf({ var: { core } }: DashboardContext): ProjectFiles {
  return found(core.settings.projectFiles, "page_not_found");
}

function pathOf(file: string): string {
  return `${SECTION}/${encodeURIComponent(file)}`;
}

const STATES: Readonly<Record<ProjectPost["state"], Variant>> = {
  ready: "good",
  draft: "soft",
  scheduled: "plain",
  expired: "soft",
  "on hold": "bad",
  invalid: "bad",
};

async function showFiles(context: DashboardContext): Promise<Response> {
  const files = filesOf(context);
  const { q = "" } = context.req.query();
  const posts = await files.list();
  const wanted = q.trim().toLowerCase();
  const rows = posts.filter(({ file, title = "" }) => `${title} ${file}`.toLowerCase().includes(wanted));
  return renderPage(
    context,
    {},
    <>
      <p>
        The Markdown files in <code>{files.folder}</code> of the project that this service runs in. Saving writes the
        file; the next build or <code>npx imprint posts sync</code> publishes it.
      </p>
      {posts.length > 0 && (
        <Filter fields={{ q: { label: "Find a post", placeholder: "Title or file", kind: "search" } }} values={{ q }} />
      )}
      {rows.length === 0 ? (
        <Empty>
          {posts.length === 0 ? "There are no posts in this folder yet." : "No matching posts. "}
          {posts.length > 0 && <a href={SECTION}>Show all posts</a>}
        </Empty>
      ) : (
        <Table
          caption="Posts of the project, those that were changed last first"
          rows={rows}
          columns={[
            ["Post", ({ file, title }) => <a href={`${pathOf(file)}/edit`}>{title ?? file}</a>],
            ["File", ({ file }) => <code>{file}</code>],
            ["Status", (post) => <State of={post} />],
            ["Published", ({ publishedAt }) => publishedAt && <Time at={publishedAt} to="day" />],
            ["Changed", ({ changedAt }) => changedAt],
          ]}
        />
      )}
    </>,
  );
}

function State({ of: { state, problem } }: { readonly of: ProjectPost }) {
  return (
    <>
      <Badge variant={STATES[state]}>{state}</Badge>
      {problem !== undefined && (
        <>
          <br />
          <span class="soft">{problem}</span>
        </>
      )}
    </>
  );
}

const MAX_KNOWN_CHARACTERS = 8 * 1024 * 1024;

// What a form was filled in from. Another program that writes a file leaves nothing of it to compare with.
const shownVersions = new LRUCache<string, FormValues>({
  maxSize: MAX_KNOWN_CHARACTERS,
  sizeCalculation: (values) => JSON.stringify(values).length,
});

async function findFile(context: DashboardContext): Promise<DeskSubject> {
  const files = filesOf(context);
  const name = paramOf(context, "file");
  const file = found(await files.read(name), "post_not_found");
  if (typeof file === "string") throw new ProblemError("invalid_body", { detail: `${name}: ${file}` });
  const values = valuesOfFile(file);
  const action = pathOf(name);
  const subject = `file:${files.folder}/${name}`;
  shownVersions.set(`${subject} ${file.version}`, values);
  return {
    path: `${action}/edit`,
    action,
    history: `${action}/history`,
    title: name,
    parent: { title: "Project posts", path: SECTION },
    subject,
    note: noteOf(file),
    fields: fieldsOfFile(file),
    values,
    savedAt: file.changedAt,
    button: "Save the file",
    save: (sent) => saveFile(context, { file, subject, sent }),
    render: (sent) => renderFile(context, file, sent),
    readVersion: async (version) =>
      shownVersions.get(`${subject} ${version}`) ?? (await readFormerVersion(context, subject, version)),
  };
}

function noteOf({ note, file }: ProjectFile): string | undefined {
  if (note !== undefined) return `${note} The text below is the whole file.`;
  return file.toLowerCase().endsWith(".mdx")
    ? "This is MDX: components stay as they are written, and the preview doesn’t show them."
    : undefined;
}

/** The name of a field in the form. */
function nameOf({ key, role }: FileField): string {
  return role === "title" ? "title" : `front-${key}`;
}

function valuesOfFile({ fields, text, version }: ProjectFile): FormValues {
  return { ...Object.fromEntries(fields.map((field) => [nameOf(field), field.value])), text, version };
}

function fieldsOfFile({ fields }: ProjectFile): DeskSubject["fields"] {
  const shown = fields.map((field) => [nameOf(field), describeField(field)] as const);
  return {
    title: Object.fromEntries(shown.filter(([name]) => name === "title")),
    text: { text: { label: "Text", kind: "source" } },
    settings: Object.fromEntries(shown.filter(([name]) => name !== "title")),
  };
}

function describeField({ key, kind, choices, maxLength, isRequired: required }: FileField): Field {
  const words = key.replaceAll(/[_-]+/g, " ").replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
  const label = words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
  const none = required ? [] : [["", "Not set"] as const];
  switch (kind) {
    case "switch":
      return { label, kind: "choice", options: [...none, ["true", "Yes"], ["false", "No"]] };
    case "choice":
      return { label, kind, options: [...none, ...choices.map((choice) => [choice, choice] as const)] };
    case "list":
      return { label, hint: "Separated by commas." };
    case "lines":
    case "date":
      return { label, kind, required };
    default:
      return { label, required, hint: maxLength === undefined ? undefined : `At most ${maxLength} characters.` };
  }
}

interface SentFile {
  readonly file: ProjectFile;
  readonly subject: string;
  readonly sent: FormValues;
}

async function saveFile(context: DashboardContext, { file, subject, sent }: SentFile): ReturnType<DeskSubject["save"]> {
  const { fields, changedAt: savedAt } = file;
  const { version = "", text = file.text } = sent;
  const typed = Object.fromEntries(fields.map((field) => [field.key, sent[nameOf(field)] ?? field.value]));
  const saved = await filesOf(context).save({ file: file.file, version, text, fields: typed });
  if (saved.kind === "conflict") throw new ProblemError("version_mismatch");
  if (saved.kind === "refused") {
    const wrong = fields.filter(({ key }) => Object.hasOwn(saved.errors, key));
    const errors = wrong.map((field) => ({
      pointer: `/body/${nameOf(field)}`,
      detail: saved.errors[field.key] ?? "",
    }));
    throw new ProblemError("invalid_body", { errors });
  }
  if (saved.version !== version) {
    const { version: _, ...former } = valuesOfFile(file);
    const { accountId } = context.var.records;
    const kept = { accountId, subject, version, fields: former, savedBy: null, savedAt };
    await write(context, (records) => keepVersion(records.database, kept));
  }
  const action = pathOf(file.file);
  return { path: `${action}/edit`, action, version: saved.version, next: `${SECTION}?notice=saved` };
}

async function readFormerVersion(context: DashboardContext, subject: string, version: string) {
  const { database, accountId } = context.var.records;
  const former = await findRow(database, "formerVersion", { accountId, subject, version });
  return former && Object.fromEntries(Object.entries(former.fields).map(([name, value]) => [name, String(value)]));
}

/** The post in the look of the project's blog, as the service renders Markdown. */
async function renderFile(context: DashboardContext, file: ProjectFile, sent: FormValues): Promise<string> {
  const { core, records } = context.var;
  const [known] = (await listBlogs(records.reader, records.accountId, newest(1))).items;
  const blog = known ?? unpublishedBlog(records.now);
  const byRole = Object.fromEntries(file.fields.map((field) => [field.role ?? "", sent[nameOf(field)] ?? ""]));
  const { title = file.file, excerpt = "", tags = "", author = "", date = "" } = byRole;
  const text = file.file.toLowerCase().endsWith(".mdx") ? withoutModules(sent["text"] ?? "") : (sent["text"] ?? "");
  const publishedAt = /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00` : "";
  const values = { title, text, kind: "markdown", excerpt, tags, author, publishedAt };
  return await renderWholePost(core, { blog, post: draftOf(emptyPost(blog, records.now), values) });
}

/** MDX without the lines that import components, outside of code. */
function withoutModules(text: string): string {
  return text.replaceAll(
    /^(```[^]*?^```|~~~[^]*?^~~~)|^(?:import|export)\s[^\n]*$/gm,
    (_, code: string | undefined) => {
      return code ?? "";
    },
  );
}

/** For the preview where nothing was published yet. */
function unpublishedBlog(now: Date): Blog {
  const none = { description: null, siteId: null, language: null };
  return { ...none, id: "project", slug: "blog", name: "Blog", postCount: 0, createdAt: now, updatedAt: now };
}
