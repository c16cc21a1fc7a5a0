import { ProblemError } from "../../http/problem.ts";
import { found } from "../../resources/fields.ts";
import { forgetSubject, keepVersion, listSubjects, listVersions, moveSubject } from "../../store/editing.ts";
import { findRow } from "../../store/rows.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { readForm, type Fields } from "../forms.ts";
import { Action } from "../parts/actions.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import { Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { FILE, filesOf, pathOf, readFile, SECTION, subjectOf } from "./project-files.ts";

const NAME: Fields = { name: { label: "File name", required: true } };

/** Registers renaming, deleting and restoring a file of the project. */
export function registerFileChanges(app: DashboardApp): void {
  app.get(`${FILE}/deleted`, showDeleted);
  resourcePages(app, {
    section: SECTION,
    route: FILE,
    find: readFile,
    edit: {
      route: `${FILE}/rename`,
      to: `${FILE}/rename`,
      values: ({ file, version }) => ({ name: nameOf(file), version }),
      render: async (context, { file }, form) =>
        renderPage(
          context,
          { title: `Rename ${nameOf(file)}`, parent: { title: file, path: `${pathOf(file)}/edit` }, form },
          <>
            <p>
              The file stays in its folder. A published post keeps its address; the site’s own page of it follows the
              file’s name unless the site or its front matter says otherwise.
            </p>
            <Mentions context={context} files={await filesOf(context).findMentions(file)} />
            <FieldsForm to={`${pathOf(file)}/rename`} fields={NAME} state={form} button="Rename the file" />
          </>,
        ),
      save: (context, { file }, { name = "" }) => renameFile(context, file, name),
    },
    questions: {
      delete: {
        ask: async (context, file) => ({
          title: `Delete ${file.file}?`,
          parent: { title: file.file, path: `${pathOf(file.file)}/edit` },
          button: "Delete the file",
          fields: { version: file.version },
          main: (
            <>
              <p>
                This deletes <code>{`${filesOf(context).folder}/${file.file}`}</code> from the project. The site’s own
                page for it disappears with the next build. If the post is published in a blog, it stays there until you
                publish with <code>prune: true</code> or delete it in the blog. You can restore the file under{" "}
                <b>Project posts</b>.
              </p>
              <Mentions context={context} files={await filesOf(context).findMentions(file.file)} />
            </>
          ),
        }),
        answer: deleteFile,
      },
    },
    actions: { restore: restoreFile },
  });
}

function Mentions({ context, files }: { readonly context: DashboardContext; readonly files: readonly string[] }) {
  if (files.length === 0) return <></>;
  const { folder } = filesOf(context);
  return (
    <>
      <p>Links to this file in these posts don’t change:</p>
      <ul>
        {files.map((file) => (
          <li>
            <a href={`${pathOf(file)}/edit`}>{`${folder}/${file}`}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

async function renameFile(context: DashboardContext, file: string, name: string): Promise<string> {
  const files = filesOf(context);
  const renamed = await files.rename(file, name);
  if (renamed.kind === "refused") {
    throw new ProblemError("invalid_body", {
      detail: renamed.problem,
      errors: [{ pointer: "/body/name", detail: "" }],
    });
  }
  const { accountId } = context.var.records;
  const key = { accountId, subject: subjectOf(files, file) };
  await write(context, ({ database }) => moveSubject(database, key, subjectOf(files, renamed.file)));
  return `${pathOf(renamed.file)}/edit?notice=file-renamed`;
}

function deletedSubject(context: DashboardContext, file = ""): string {
  return `deleted-${subjectOf(filesOf(context), file)}`;
}

async function deleteFile(context: DashboardContext): Promise<string> {
  const { version = "" } = (await readForm(context)).values;
  const file = paramOf(context, "file");
  const { accountId, actor, now } = context.var.records;
  const kept = {
    accountId,
    subject: deletedSubject(context, file),
    version,
    savedBy: actor?.userId ?? null,
    savedAt: now,
  };
  const removed = await filesOf(context).remove(file, version, (source) =>
    write(context, ({ database }) => keepVersion(database, { ...kept, fields: { source } })),
  );
  if (removed === "removed") return `${pathOf(file)}/deleted`;
  throw new ProblemError("version_mismatch", {
    detail: "The file has changed since you opened this page. Nothing was deleted. Check the file first.",
  });
}

async function findDeleted(context: DashboardContext) {
  const { database, accountId } = context.var.records;
  const subject = deletedSubject(context, paramOf(context, "file"));
  const [last] = await listVersions(database, { accountId, subject });
  const { version, savedAt } = found(last, "post_not_found");
  const { fields } = found(await findRow(database, "formerVersion", { accountId, subject, version }), "post_not_found");
  return { subject, source: String(fields["source"]), savedAt };
}

async function showDeleted(context: DashboardContext): Promise<Response> {
  const file = paramOf(context, "file");
  const { source, savedAt } = await findDeleted(context);
  return renderPage(
    context,
    {
      title: file,
      parent: { title: "Project posts", path: SECTION },
      actions: <Action to={`${pathOf(file)}/restore`} label="Restore the file" />,
    },
    <>
      <p class="notice" role="status">
        This file was deleted <Time at={savedAt} />. Below is its text.
      </p>
      <pre tabindex={0}>{source}</pre>
    </>,
  );
}

async function restoreFile(context: DashboardContext): Promise<string> {
  const file = paramOf(context, "file");
  const { subject, source } = await findDeleted(context);
  const restored = await filesOf(context).restore(file, source);
  if (restored.kind === "refused") throw new ProblemError("invalid_body", { detail: restored.problem });
  const { accountId } = context.var.records;
  await write(context, ({ database }) => forgetSubject(database, { accountId, subject }));
  return `${pathOf(file)}/edit?notice=file-restored`;
}

/** Lists files deleted here, most recent first, except those that exist again. */
export async function listDeleted(context: DashboardContext, present: readonly string[]) {
  const { database, accountId } = context.var.records;
  const prefix = deletedSubject(context);
  const kept = await listSubjects(database, accountId, prefix);
  const files = kept.map(({ subject, savedAt }) => ({ file: subject.slice(prefix.length), savedAt }));
  const firsts = files.filter(({ file }, index) => files.findIndex((each) => each.file === file) === index);
  return firsts.filter(({ file }) => !present.includes(file));
}
