import type { ProjectPost } from "../../../contract/project-files.ts";
import { ProblemError } from "../../http/problem.ts";
import { keepText } from "../../resources/editing.ts";
import { write, type DashboardApp, type DashboardContext } from "../context.ts";
import { listDeleted } from "../desk/file-changes.tsx";
import { FRONT, registerFileDesk } from "../desk/file-desk.tsx";
import { filesOf, NEW_FILE, pathOf, SECTION, subjectOf } from "../desk/project-files.ts";
import { attempt, freshForm, readForm, type Fields, type FormState, type FormValues } from "../forms.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { FieldsForm, Filter, HiddenFields } from "../parts/fields.tsx";
import { Badge, Empty, Message, Table, Time, type Variant } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { onlyForChange } from "../parts/resource-pages.tsx";

/** Registers the list of the project's Markdown posts, and their editor. */
export function registerFilePages(app: DashboardApp): void {
  app.get(SECTION, showFiles);
  app.get(NEW_FILE, onlyForChange, (context) => showNewFile(context, freshForm()));
  app.post(SECTION, async (context) => {
    const { values } = await readForm(context);
    return await attempt(context, {
      values,
      accept: () => createFile(context, values),
      again: (form) => showNewFile(context, form),
    });
  });
  registerFileDesk(app);
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
  const deleted = await listDeleted(
    context,
    posts.map(({ file }) => file),
  );
  return renderPage(
    context,
    { actions: <ButtonLink to={NEW_FILE} label="New post" /> },
    <>
      <p>
        The Markdown files in <code>{files.folder}</code> of the project that this service runs in. Saving writes the
        file; the next build or <code>npx imprint posts sync</code> publishes it.
      </p>
      <StrandedTexts context={context} />
      {posts.length > 0 && (
        <Filter fields={{ q: { label: "Find a post", placeholder: "Title or file", kind: "search" } }} values={{ q }} />
      )}
      {rows.length === 0 ? (
        <Empty>
          {posts.length === 0 ? "There are no posts in this folder yet. " : "No matching posts. "}
          {posts.length === 0 ? <a href={NEW_FILE}>Write the first one</a> : <a href={SECTION}>Show all posts</a>}
        </Empty>
      ) : (
        <Table
          caption="Project posts, most recently changed first"
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
      {deleted.length > 0 && (
        <Section id="deleted" title="Deleted here">
          <ul>
            {deleted.map(({ file, savedAt }) => (
              <li>
                <a href={`${pathOf(file)}/deleted`}>{file}</a> <Time at={savedAt} />
              </li>
            ))}
          </ul>
        </Section>
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
          <span class="soft reason">
            <Message text={problem} />
          </span>
        </>
      )}
    </>
  );
}

const NEW_FIELDS: Fields = {
  title: { label: "Title", required: true, hint: "The file is named after it." },
};

function showNewFile(context: DashboardContext, form: FormState): Response {
  const { folder } = filesOf(context);
  return renderPage(
    context,
    { title: "New post", form },
    <>
      <p>
        A draft in <code>{folder}</code>, with the front matter that the collection’s schema asks for, or that the other
        posts have.
      </p>
      <StrandedTexts context={context} />
      <FieldsForm to={SECTION} fields={NEW_FIELDS} state={form} button="Create the file">
        <HiddenFields values={textOf(form.values)} />
      </FieldsForm>
    </>,
  );
}

/** Where the script offers texts that only this browser has, of files that were deleted or renamed. */
function StrandedTexts({ context: { var: vars } }: { readonly context: DashboardContext }) {
  return <div data-stranded={vars.person.userId} data-new={NEW_FILE} hidden></div>;
}

/** The text and front matter of a form, without its title. */
function textOf(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name === "text" || name.startsWith(FRONT)));
}

/** Creates a file, with the text of a lost one as its unsaved text. Returns the path of its editor. */
async function createFile(context: DashboardContext, values: FormValues): Promise<string> {
  const { title = "" } = values;
  const files = filesOf(context);
  const text = textOf(values);
  const front = Object.entries(text).filter(([name]) => name !== "text");
  const others = Object.fromEntries(front.map(([name, value]) => [name.slice(FRONT.length), value]));
  const created = await files.create(title, others);
  if (created.kind === "created") {
    const path = `${pathOf(created.file)}/edit`;
    if (text["text"] === undefined) return path;
    const file = await files.read(created.file);
    const version = typeof file === "object" ? file.version : "";
    const kept = { ...text, title, version };
    const copy = await write(context, (records) => keepText(records, subjectOf(files, created.file), kept));
    return `${path}?copy=${copy}`;
  }
  const errors = [{ pointer: "/body/title", detail: created.problem }];
  throw new ProblemError("invalid_body", { detail: created.problem, errors });
}
