import { LRUCache } from "lru-cache";
import { WORD_LIST_HINT } from "../../../base/word-list.ts";
import type { FileField, ProjectFile } from "../../../contract/project-files.ts";
import { ProblemError } from "../../http/problem.ts";
import { renderWholePost } from "../../look/whole-post.ts";
import { listBlogs, type Blog } from "../../store/blogs.ts";
import { keepVersion } from "../../store/editing.ts";
import { findRow } from "../../store/rows.ts";
import { newest, paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import type { Field, FormValues } from "../forms.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { onlyForChange } from "../parts/resource-pages.tsx";
import type { DeskSubject } from "./desk.tsx";
import { listFilePictures, saveFilePicture, showFilePicture } from "./file-pictures.ts";
import { inlinePictures } from "./inline-pictures.ts";
import { draftOf, emptyPost } from "./post-desk.tsx";
import { registerFileChanges } from "./file-changes.tsx";
import { FILE, filesOf, NEW_FILE, pathOf, readFile, SECTION, subjectOf } from "./project-files.ts";
import { registerDesk } from "./register-desk.tsx";

/** Registers the editor for the project's Markdown posts. */
export function registerFileDesk(app: DashboardApp): void {
  app.get(`${FILE}/pictures`, onlyForChange, listFilePictures);
  app.post(`${FILE}/pictures`, saveFilePicture);
  app.get(`${FILE}/pictures/shown`, onlyForChange, showFilePicture);
  app.get(FILE, (context) => context.redirect(`${pathOf(paramOf(context, "file"))}/edit`, 303));
  registerFileChanges(app);
  registerDesk(app, { route: `${FILE}/edit`, action: FILE, history: `${FILE}/history`, find: findFile });
}

const MAX_KNOWN_CHARACTERS = 8 * 1024 * 1024;

// The values that a form was based on. Other programs that write files leave no earlier version to compare with.
const shownVersions = new LRUCache<string, FormValues>({
  maxSize: MAX_KNOWN_CHARACTERS,
  sizeCalculation: (values) => JSON.stringify(values).length,
});

async function findFile(context: DashboardContext): Promise<DeskSubject> {
  const files = filesOf(context);
  const name = paramOf(context, "file");
  const file = await readFile(context);
  const values = valuesOfFile(file);
  const action = pathOf(name);
  const subject = subjectOf(files, name);
  shownVersions.set(`${subject} ${file.version}`, values);
  return {
    path: `${action}/edit`,
    action,
    history: `${action}/history`,
    pictures: `${action}/pictures`,
    title: name,
    parent: { title: "Project posts", path: SECTION },
    actions: (
      <>
        <ButtonLink to={`${action}/rename`} label="Rename" variant="quiet" />
        <ButtonLink to={`${action}/delete`} label="Delete" variant="danger" />
      </>
    ),
    subject,
    newPath: NEW_FILE,
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

function noteOf({ note, warning, file }: ProjectFile): string | undefined {
  if (warning !== undefined) return `${warning} The fields below may be out of date.`;
  if (note !== undefined) return `${note} The text below is the whole file.`;
  const [name = ""] = file.split("/").slice(-1);
  if (name.startsWith("_")) {
    return `This is a draft: imprint doesn’t publish a file whose name begins with an underscore. To publish it, rename it to ${name.slice(1)}.`;
  }
  return file.toLowerCase().endsWith(".mdx")
    ? "This is MDX: components stay as they are, and the preview doesn’t show them."
    : undefined;
}

/** Prefix of a field's name for a key of the front matter. */
export const FRONT = "front-";

function nameOf({ key, role }: FileField): string {
  return role === "title" ? "title" : `${FRONT}${key}`;
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

function describeField({ key, kind, value, choices, maxLength, isRequired }: FileField): Field {
  const words = key.replaceAll(/[_-]+/g, " ").replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
  const label = words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
  // An unfinished post can be saved without its required fields.
  const required = isRequired && value !== "";
  const missing = isRequired && !required ? "Required by the collection’s schema. " : "";
  const withHint = (hint: string): Partial<Field> =>
    missing + hint === "" ? {} : { hint: `${missing}${hint}`.trim() };
  const none = required ? [] : [["", "Not set"] as const];
  switch (kind) {
    case "switch":
      return { label, kind: "choice", options: [...none, ["true", "Yes"], ["false", "No"]], ...withHint("") };
    case "choice":
      return {
        label,
        kind,
        options: [...none, ...choices.map((choice) => [choice, choice] as const)],
        ...withHint(""),
      };
    case "list":
      return { label, ...withHint(WORD_LIST_HINT) };
    case "picture":
      return { label, kind, required, ...withHint("The path of a picture, relative to this file.") };
    case "lines":
    case "date":
      return { label, kind, required, ...withHint("") };
    default:
      return { label, required, ...withHint(maxLength === undefined ? "" : `At most ${maxLength} characters.`) };
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
  const shown = fields.map((field) => [field.key, sent[nameOf(field)] ?? field.value]);
  // A form opened before a schema change may contain fields that no longer exist.
  const others = Object.entries(sent).flatMap(([name, value]) =>
    name.startsWith(FRONT) ? [[name.slice(FRONT.length), value]] : [],
  );
  const typed = Object.fromEntries([...others, ...shown]);
  const saved = await filesOf(context).save({ file: file.file, version, text, fields: typed });
  if (saved.kind === "conflict") throw new ProblemError("version_mismatch");
  if (saved.kind === "refused") {
    const names = new Map(fields.map((field) => [field.key, nameOf(field)]));
    const errors = Object.entries(saved.errors).map(([key, detail]) => ({
      pointer: `/body/${names.get(key) ?? `${FRONT}${key}`}`,
      detail,
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

/** Renders the post in the look of the project's blog, like other Markdown posts. */
async function renderFile(context: DashboardContext, file: ProjectFile, sent: FormValues): Promise<string> {
  const { core, records } = context.var;
  const [known] = (await listBlogs(records.reader, records.accountId, newest(1))).items;
  const blog = known ?? unpublishedBlog(records.now);
  const byRole = Object.fromEntries(file.fields.map((field) => [field.role ?? "", sent[nameOf(field)] ?? ""]));
  const { title = file.file, excerpt = "", tags = "", author = "", date = "", cover = "" } = byRole;
  const text = file.file.toLowerCase().endsWith(".mdx") ? withoutModules(sent["text"] ?? "") : (sent["text"] ?? "");
  const publishedAt = /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00` : "";
  const values = { title, text, kind: "markdown", excerpt, tags, author, publishedAt, cover };
  const html = await renderWholePost(core, { blog, post: draftOf(emptyPost(blog, records.now), values) });
  const { thumbnails } = core;
  return await inlinePictures(html, {
    read: (address) => filesOf(context).readPicture(file.file, address),
    thumbnails,
  });
}

/** Removes lines that import or export components from MDX, except in code. */
function withoutModules(text: string): string {
  return text.replaceAll(
    /^(```[^]*?^```|~~~[^]*?^~~~)|^(?:import|export)\s[^\n]*$/gm,
    (_, code: string | undefined) => {
      return code ?? "";
    },
  );
}

/** A blog for the preview if nothing was published yet. */
function unpublishedBlog(now: Date): Blog {
  const none = { description: null, siteId: null, language: null };
  return { ...none, id: "project", slug: "blog", name: "Blog", postCount: 0, createdAt: now, updatedAt: now };
}
