// The Markdown posts of a project, for the dashboard of the service that runs in it: the publisher reads and writes the
// files, the service shows them. The two are packages of their own and share nothing but these shapes.

/** Whether the next run publishes a post, or why it doesn't. */
export type ProjectPostState = "ready" | "draft" | "scheduled" | "on hold" | "expired" | "invalid";

export interface ProjectPost {
  /** Path below the folder of the posts, with forward slashes. */
  readonly file: string;
  readonly title: string | undefined;
  readonly state: ProjectPostState;
  readonly publishedAt: Date | undefined;
  /** Why it is on hold or invalid. */
  readonly problem: string | undefined;
  readonly changedAt: Date;
}

export type FileFieldKind = "text" | "lines" | "date" | "number" | "switch" | "choice" | "list" | "picture";

/** What a field says about the post, whatever its key is called. */
export type FileFieldRole = "title" | "excerpt" | "tags" | "author" | "date" | "cover";

/** One key of the front matter, as a form has it. */
export interface FileField {
  readonly key: string;
  readonly kind: FileFieldKind;
  readonly role: FileFieldRole | undefined;
  /** Empty where the file doesn't have the key. A date is a day in ISO form, a list has commas between its items. */
  readonly value: string;
  readonly choices: readonly string[];
  readonly maxLength: number | undefined;
  readonly isRequired: boolean;
}

export interface ProjectFile {
  readonly file: string;
  /** SHA-256 of the whole file. */
  readonly version: string;
  readonly changedAt: Date;
  readonly fields: readonly FileField[];
  /** What stands below the front matter; the whole file where that can't be edited by fields. */
  readonly text: string;
  /** Why the text is the whole file. */
  readonly note: string | undefined;
  /** Why the fields may not be those that the collection's schema has now. */
  readonly warning?: string | undefined;
}

/** What a form holds for a file. */
export interface FileEdit {
  readonly file: string;
  /** The version that the form was filled in for. */
  readonly version: string;
  /** By key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

export type SavedFile =
  | { readonly kind: "saved"; readonly version: string }
  /** The file has another version. Nothing was written. */
  | { readonly kind: "conflict" }
  /** Sentences by key. Nothing was written. */
  | { readonly kind: "refused"; readonly errors: Readonly<Record<string, string>> };

export type CreatedFile =
  | { readonly kind: "created"; readonly file: string }
  | { readonly kind: "refused"; readonly problem: string };

/** A picture of the project. */
export interface FilePicture {
  readonly name: string;
  /** As the post names it: the way to it from the post, or where the site serves it. */
  readonly address: string;
}

export interface ReadPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The Markdown posts of the project that a service runs in. Nothing outside of their folder is read or written. */
export interface ProjectFiles {
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  /** All posts, those that were changed last first. */
  list(): Promise<readonly ProjectPost[]>;
  /** `undefined`: there is no such file. A text: why it can't be edited. */
  read(file: string): Promise<ProjectFile | string | undefined>;
  /** Writes what was edited, and leaves every other byte of the file as it is. */
  save(edit: FileEdit): Promise<SavedFile>;
  /** Writes the front matter of a draft, as `imprint posts new` does. */
  create(title: string): Promise<CreatedFile>;
  /** Gives a file another name in its folder. No file is replaced. */
  rename(file: string, name: string): Promise<CreatedFile>;
  /** Deletes a file once its text is kept elsewhere; `conflict`: it has another version, and nothing was deleted. */
  remove(file: string, version: string, keep: (source: string) => Promise<void>): Promise<"removed" | "conflict">;
  /** Writes the text of a file that was deleted. No file is replaced. */
  restore(file: string, source: string): Promise<CreatedFile>;
  /** The other posts that name a file, as their links do. */
  findMentions(file: string): Promise<readonly string[]>;
  /** Pictures for a post, the newest first; none where there is no such post. */
  listPictures(file: string): Promise<readonly FilePicture[]>;
  /** Puts a picture where the post, or else the other posts, have theirs, or else beside it. */
  addPicture(
    file: string,
    picture: { readonly name: string; readonly bytes: Uint8Array },
  ): Promise<FilePicture | undefined>;
  /** A picture of the project by the address that the post has for it. */
  readPicture(file: string, address: string): Promise<ReadPicture | undefined>;
}
