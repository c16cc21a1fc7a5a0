import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, posix, relative, resolve } from "node:path";
import { ImprintError, systemCodeOf } from "../../base/error.ts";
import { createGate } from "../../base/gate.ts";
import { sha256 } from "../../base/hash.ts";
import { keepLineEnds } from "../../base/text-changes.ts";
import type {
  CreatedFile,
  FileEdit,
  ProjectFile,
  ProjectFiles,
  ProjectPost,
  ProjectPostState,
  SavedFile,
} from "../../contract/project-files.ts";
import type { HoldReason } from "../plan/changes.ts";
import type { FieldSettings } from "../read/field-keys.ts";
import type { MarkdownPlace } from "../read/find-markdown.ts";
import { parseFrontMatter } from "../read/front-matter.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import { holdingOf, parseFolder, parsePrivateFiles } from "../read/parse-posts.ts";
import { readSource } from "../read/read-source.ts";
import { pathBelow } from "../read/slugs.ts";
import { createSchemaReader, type SchemaReader } from "../write/collection-schema.ts";
import { findNeighbours, readNeighbours, writeNewPost } from "../write/new-post.ts";
import { replaceFile } from "../write/replace-file.ts";
import { describeFields, parseField, type EditedField } from "./file-fields.ts";
import { addPicture, listPictures, readPicture } from "./file-pictures.ts";
import { setKey } from "./set-key.ts";
import { lineEndOf, splitFile, type FileParts } from "./split-file.ts";

const ENDING = /\.(?:md|markdown|mdx)$/i;

/** Location of the posts, and how to read their front matter. */
interface Place extends MarkdownPlace, FieldSettings {
  readonly readSchema: SchemaReader;
}

/** Opens the posts of a project for editing. Returns `undefined` if it has no posts folder. */
export async function openProjectFiles(place: MarkdownPlace & FieldSettings): Promise<ProjectFiles | undefined> {
  const folder = await stat(join(place.root, place.folder)).catch(() => undefined);
  return folder?.isDirectory() === true
    ? createProjectFiles({ ...place, readSchema: createSchemaReader() })
    : undefined;
}

function createProjectFiles(place: Place): ProjectFiles {
  // Two concurrent saves of a file would both find the version that they were based on.
  const saves = createGate(1);
  return {
    folder: place.folder,
    list: () => listPosts(place),
    read: (file) => readFile(place, file),
    save: (edit) => saves.run(() => saveFile(place, edit)),
    create: (title, others = {}) => createFile(place, title, others),
    rename: (file, name) => saves.run(() => renameFile(place, file, name)),
    remove: (file, version, keep) => saves.run(() => removeFile(place, { file, version, keep })),
    restore: (file, source) => saves.run(() => restoreFile(place, file, source)),
    findMentions: (file) => findMentions(place, file),
    async listPictures(file) {
      const path = await findFile(place, file);
      return path === undefined ? [] : await listPictures({ ...place, path });
    },
    async addPicture(file, { name, bytes }) {
      const path = await findFile(place, file);
      return path === undefined ? undefined : await saves.run(() => addPicture({ ...place, path }, name, bytes));
    },
    async readPicture(file, address) {
      const path = await findFile(place, file);
      return path === undefined ? undefined : await readPicture({ ...place, path }, address);
    },
  };
}

async function listPosts(place: Place): Promise<readonly ProjectPost[]> {
  const now = new Date();
  const { parsed, problems } = await parseFolder(place);
  const posts = [...parsed, ...(await parsePrivateFiles(place))].map((post) => ({ ...post, ...stateOf(post, now) }));
  const invalid = [...new Map(problems.toReversed().map((each) => [each.file, each])).values()].map(
    ({ file, line, message }) => ({
      ...{ file, title: undefined, publishedAt: undefined, state: "invalid" as const },
      problem: line === undefined ? message : `Line ${line}: ${message}`,
    }),
  );
  const found = [...posts, ...invalid].map(async ({ file, title, publishedAt, state, problem }) => {
    const changedAt = (await stat(join(place.root, file)).catch(() => undefined))?.mtime ?? new Date(0);
    return { file: pathBelow(place.folder, file) ?? file, title, publishedAt, state, problem, changedAt };
  });
  return (await Promise.all(found)).toSorted((one, other) => Number(other.changedAt) - Number(one.changedAt));
}

function stateOf(post: ParsedPost, now: Date): Omit<ProjectPost, "file" | "changedAt"> {
  const { fields, frontMatter } = post;
  const [held] = holdingOf(post, now);
  const title = fields.title ?? /^# +(.+)$/m.exec(frontMatter.body)?.[1];
  const state = held === undefined ? "ready" : STATES[held.reason];
  return { title, state, publishedAt: fields.publishedAt, problem: post.doubts[0]?.message };
}

const STATES: Readonly<Record<HoldReason, ProjectPostState>> = {
  draft: "draft",
  scheduled: "scheduled",
  expired: "expired",
  unclear: "on hold",
  invalid: "invalid",
  // A build of the site publishes it.
  "needs-build": "ready",
};

/**
 * Returns the absolute path of a post, or `undefined` if it isn't below the folder or is reached through a symbolic
 * link (its real path then differs from the requested one).
 */
async function findFile({ root, folder }: MarkdownPlace, file: string): Promise<string | undefined> {
  if (!isName(file)) return undefined;
  const path = join(await realpath(resolve(root, folder)), file);
  return (await realpath(path).catch(() => undefined)) === path ? path : undefined;
}

/** Whether a path is a valid name for a post below the folder. */
function isName(file: string): boolean {
  const isOne = ENDING.test(file) && !/[\\\0]/.test(file) && posix.normalize(file) === file;
  return isOne && !file.startsWith("/") && !/(?:^|\/)(?:\.|node_modules\/)/.test(file);
}

async function createFile(place: Place, title: string, others: FileEdit["fields"]): Promise<CreatedFile> {
  const { root, folder } = place;
  try {
    const { file: path } = await writeNewPost({ root, folder, title, date: new Date() });
    const file = relative(resolve(root, folder), path).replaceAll("\\", "/");
    await addKeys(place, file, others);
    return { kind: "created", file };
  } catch (error) {
    if (error instanceof ImprintError && error.code === "USAGE") return { kind: "refused", problem: error.message };
    throw error;
  }
}

/** Adds keys to the front matter that no form of the file would have. */
async function addKeys(place: Place, file: string, values: FileEdit["fields"]): Promise<void> {
  const opened = await openFile(place, file);
  if (opened === undefined || typeof opened === "string") return;
  const { path, source, fields } = opened;
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.entries(values).filter(([key, text]) => !known.has(key) && text !== "");
  const written = unknown.reduce(
    (result, [key, text]) => setKey(result, key, { kind: "text", text }) ?? result,
    source,
  );
  if (written !== source) await replaceFile(path, written);
}

async function renameFile(place: Place, file: string, typed: string): Promise<CreatedFile> {
  const path = await findFile(place, file);
  const name = ENDING.test(typed.trim()) ? typed.trim() : `${typed.trim()}${posix.extname(file)}`;
  const renamed = posix.join(posix.dirname(file), name);
  if (path === undefined) return { kind: "refused", problem: `${file} was deleted or renamed meanwhile.` };
  if (!isName(renamed) || name.includes("/") || ENDING.exec(name)?.index === 0) {
    return { kind: "refused", problem: "A file name can’t contain a slash or begin with a dot." };
  }
  const target = join(dirname(path), name);
  const [own, other] = [await lstat(path), await lstat(target).catch(() => undefined)];
  // On a case-insensitive file system, the same name in a different case is the same file.
  if (other !== undefined && other.ino !== own.ino) return { kind: "refused", problem: `${renamed} already exists.` };
  await rename(path, target);
  return { kind: "created", file: renamed };
}

interface Removal {
  readonly file: string;
  readonly version: string;
  readonly keep: (source: string) => Promise<void>;
}

async function removeFile(place: Place, { file, version, keep }: Removal): Promise<"removed" | "conflict"> {
  const path = await findFile(place, file);
  const read = path === undefined ? undefined : await readSource(path);
  if (path === undefined || read?.kind !== "text" || sha256(read.text) !== version) return "conflict";
  await keep(read.text);
  await rm(path);
  return "removed";
}

async function restoreFile({ root, folder }: Place, file: string, source: string): Promise<CreatedFile> {
  const base = await realpath(resolve(root, folder));
  const path = join(base, file);
  const parent = isName(file)
    ? await mkdir(dirname(path), { recursive: true }).then(() => realpath(dirname(path)))
    : "";
  if (parent !== dirname(path)) return { kind: "refused", problem: `${file} isn’t a valid name for a post.` };
  try {
    await writeFile(path, source, { flag: "wx" });
    return { kind: "created", file };
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    return { kind: "refused", problem: `Another ${file} exists now. Rename it first.` };
  }
}

async function findMentions({ root, folder }: Place, file: string): Promise<readonly string[]> {
  const others = (await findNeighbours(root, folder)).filter((other) => other !== file);
  const name = posix
    .basename(file)
    .replace(ENDING, "")
    .replaceAll(/[^\w-]/g, String.raw`\$&`);
  const link = new RegExp(String.raw`[/("'\[]${name}(?:\.mdx?|\.markdown)?(?=[/)"'#?\]])`);
  const found = others.map(async (other) => {
    const read = await readSource(join(root, folder, other));
    return read.kind === "text" && link.test(read.text) ? [other] : [];
  });
  return (await Promise.all(found)).flat();
}

interface OpenFile {
  readonly path: string;
  readonly source: string;
  readonly fields: readonly EditedField[];
  /** Why the fields can't be edited individually. */
  readonly note: string | undefined;
  /** Why the fields may not match the schema. */
  readonly warning?: string;
}

async function openFile(place: Place, file: string): Promise<OpenFile | string | undefined> {
  const path = await findFile(place, file);
  if (path === undefined) return undefined;
  const read = await readSource(path);
  if (read.kind === "refused") return read.problem.message;
  const source = read.text;
  const parsed = parseFrontMatter(source);
  if (parsed.kind === "refused") {
    const { line = 1, message } = parsed.problem;
    return { path, source, fields: [], note: `The front matter can’t be read. Line ${line}: ${message}` };
  }
  const { data } = parsed.frontMatter;
  if (splitFile(source).block === undefined) {
    const note = Object.keys(data).length === 0 ? undefined : "The front matter isn’t YAML, so it is edited as text.";
    return { path, source, fields: [], note };
  }
  const { root, folder } = place;
  const { schema, problem } = await place.readSchema({ root, folder });
  const paths = schema === undefined ? await findNeighbours(root, folder) : [];
  const neighbours = await readNeighbours({ root, folder, paths });
  const fields = describeFields(data, { settings: place, schema, neighbours });
  return { path, source, fields, note: undefined, ...(problem !== undefined && { warning: problem }) };
}

async function readFile(place: Place, file: string): Promise<ProjectFile | string | undefined> {
  const opened = await openFile(place, file);
  if (opened === undefined || typeof opened === "string") return opened;
  const { path, source, fields, note, warning } = opened;
  const { mtime } = await stat(path);
  return { file, version: sha256(source), changedAt: mtime, fields, text: partsOf(source, note).text, note, warning };
}

/** With a note, the text is the whole file. */
function partsOf(source: string, note: string | undefined): Pick<FileParts, "head" | "text"> {
  return note === undefined ? splitFile(source) : { head: "", text: source };
}

async function saveFile(place: Place, edit: FileEdit): Promise<SavedFile> {
  const opened = await openFile(place, edit.file);
  if (opened === undefined || typeof opened === "string") return { kind: "conflict" };
  const { path, source } = opened;
  if (sha256(source) !== edit.version) return { kind: "conflict" };
  const edited = applyEdit(opened, edit);
  if (typeof edited !== "string") return { kind: "refused", errors: edited };
  if (edited !== source) {
    // Another program may have written the file since it was read above.
    const now = await readSource(path);
    if (now.kind === "refused" || now.text !== source) return { kind: "conflict" };
    await replaceFile(path, edited);
  }
  return { kind: "saved", version: sha256(edited) };
}

/** Returns the text of the file with the edits applied, or error messages by key. */
function applyEdit({ source, fields, note }: OpenFile, edit: FileEdit): string | Readonly<Record<string, string>> {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(edit.fields).filter((key) => !known.has(key) && edit.fields[key] !== "");
  const errors = Object.fromEntries(unknown.map((key) => [key, "is no longer a field of the collection’s schema"]));
  let result = source;
  for (const field of fields) {
    const { key, value } = field;
    const input = edit.fields[key] ?? value;
    if (input.replaceAll("\r\n", "\n") === value.replaceAll("\r\n", "\n")) continue;
    const wanted = parseField(field, input);
    const set = typeof wanted === "string" ? undefined : setKey(result, key, wanted);
    if (set !== undefined) result = set;
    else errors[key] = typeof wanted === "string" ? wanted : `can’t be changed here. Change it in ${edit.file}`;
  }
  if (Object.keys(errors).length > 0) return errors;
  const { head, text } = partsOf(result, note);
  const written = keepLineEnds(text, edit.text);
  const isJoined = written === "" || head.length <= 1 || /[\r\n]$/.test(head);
  return `${head}${isJoined ? "" : lineEndOf(source)}${written}`;
}
