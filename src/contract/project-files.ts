// The Markdown posts of a project, for the dashboard of the service that runs in it: the publisher reads and writes the
// files, the service shows them. The two are separate packages and share only these types.

/** Whether the next run publishes a post, or why it doesn't. */
export type ProjectPostState = "ready" | "draft" | "scheduled" | "on hold" | "expired" | "invalid";

export interface ProjectPost {
  /** Path relative to the folder of the posts, with forward slashes. */
  readonly file: string;
  readonly title: string | undefined;
  readonly state: ProjectPostState;
  readonly publishedAt: Date | undefined;
  /** Why it is on hold or invalid. */
  readonly problem: string | undefined;
  readonly changedAt: Date;
}

export type FileFieldKind = "text" | "lines" | "date" | "number" | "switch" | "choice" | "list" | "picture";

/** The meaning of a field, whatever its key is. */
export type FileFieldRole = "title" | "excerpt" | "tags" | "author" | "date" | "cover";

/** One key of the front matter, for a form. */
export interface FileField {
  readonly key: string;
  readonly kind: FileFieldKind;
  readonly role: FileFieldRole | undefined;
  /** Empty if the file doesn't have the key. A date is an ISO 8601 day; list items are separated by commas, see `word-list.ts`. */
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
  /** The text below the front matter; the whole file if the front matter can't be edited by fields. */
  readonly text: string;
  /** Why the text is the whole file. */
  readonly note: string | undefined;
  /** Why the fields may not match the collection's current schema. */
  readonly warning?: string | undefined;
}

/** The content of a form for a file. */
export interface FileEdit {
  readonly file: string;
  /** The version that the form was loaded from. */
  readonly version: string;
  /** By key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

export type SavedFile =
  | { readonly kind: "saved"; readonly version: string }
  /** The file has a different version. Nothing was written. */
  | { readonly kind: "conflict" }
  /** Messages by key. Nothing was written. */
  | { readonly kind: "refused"; readonly errors: Readonly<Record<string, string>> };

export type CreatedFile =
  | { readonly kind: "created"; readonly file: string }
  | { readonly kind: "refused"; readonly problem: string };

/** An image of the project. */
export interface FilePicture {
  readonly name: string;
  /** Address for use in the post: a relative path, or the address on the site. */
  readonly address: string;
}

export interface ReadPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The Markdown posts of the project that a service runs in. Never reads or writes posts outside their folder. */
export interface ProjectFiles {
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  /** Lists all posts, last changed first. */
  list(): Promise<readonly ProjectPost[]>;
  /** Returns `undefined` if there is no such file, or a text if it can't be edited: the reason. */
  read(file: string): Promise<ProjectFile | string | undefined>;
  /** Writes the edits, and leaves every other byte of the file unchanged. */
  save(edit: FileEdit): Promise<SavedFile>;
  /**
   * Creates a draft with front matter, as `imprint posts new` does, and those of the other keys that a form couldn't
   * show otherwise.
   */
  create(title: string, others?: Readonly<Record<string, string>>): Promise<CreatedFile>;
  /** Renames a file within its folder. Never replaces a file. */
  rename(file: string, name: string): Promise<CreatedFile>;
  /** Deletes a file after `keep` has saved its text. `conflict`: it has a different version and wasn't deleted. */
  remove(file: string, version: string, keep: (source: string) => Promise<void>): Promise<"removed" | "conflict">;
  /** Restores a deleted file from its text. Never replaces a file. */
  restore(file: string, source: string): Promise<CreatedFile>;
  /** Finds the other posts that mention a file, such as in links. */
  findMentions(file: string): Promise<readonly string[]>;
  /** Lists images for a post, newest first; none if there is no such post. */
  listPictures(file: string): Promise<readonly FilePicture[]>;
  /** Saves an image where the post or else the other posts have theirs, else beside the post. */
  addPicture(
    file: string,
    picture: { readonly name: string; readonly bytes: Uint8Array },
  ): Promise<FilePicture | undefined>;
  /** Reads an image of the project by its address in the post. */
  readPicture(file: string, address: string): Promise<ReadPicture | undefined>;
}
