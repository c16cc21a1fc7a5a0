// The editor's files of posts, with the identity of each post, which no publisher knows.

import type { Random } from "./random.ts";
import { drawVocabulary, writeBody, writeName, writeTitle, writeWeek, type Vocabulary } from "./texts.ts";

export interface Post {
  /** Permanent across renames and edits; a copy has its own. */
  readonly identity: number;
  /** Path relative to the folder of posts. */
  readonly file: string;
  readonly title: string;
  readonly date: string;
  readonly slug: string | undefined;
  readonly isDraft: boolean;
  readonly body: readonly string[];
  readonly words: Vocabulary;
}

/** The files of one clone, by path. */
export type Tree = ReadonlyMap<string, Post>;

const FUTURE = "2099-05-01";

/** Whether the author intends to publish it. */
export function isReady({ isDraft, date }: Post): boolean {
  return !isDraft && date < FUTURE;
}

export interface Desk {
  readonly random: Random;
  readonly tree: Tree;
  /** Deleted posts, latest first. */
  readonly trash: readonly Post[];
  /** Posts that readers may see, whose identity the blog has. */
  published(): readonly Post[];
  ready(): readonly Post[];
  versionsOf(identity: number): readonly Post[];
  /** Every slug that a post ever had here. */
  slugsOf(identity: number): readonly string[];
  /** Writes a post, replacing its former file. */
  put(post: Post, formerFile?: string): void;
  remove(post: Post): void;
  /** Creates a post with a unique name and title. */
  begin(): Post;
  beginWeek(): Post;
  /** Creates a new post with the text of another one. */
  beginFrom(post: Post, body: readonly string[]): Post;
  freeName(words: Vocabulary): string;
  freeTitle(words: Vocabulary): string;
  date(): string;
  /** A future date for scheduled posts. */
  later(): string;
  /** Records what the blog has after a run. */
  notePublished(identities: ReadonlySet<number>): void;
  /** Takes over the files of another clone. */
  take(tree: Tree): void;
}

export function createDesk(random: Random): Desk {
  let tree: Tree = new Map();
  let trash: readonly Post[] = [];
  let inBlog: ReadonlySet<number> = new Set();
  let weeks = random.between(10, 20);
  let identities = 0;
  const versions = new Map<number, readonly Post[]>();
  const titles = new Set<string>();
  const names = new Set<string>();

  const versionsOf = (identity: number) => versions.get(identity) ?? [];
  function takeFree(taken: Set<string>, write: () => string): string {
    for (let attempt = 0; ; attempt += 1) {
      const text = attempt < 20 ? write() : `${write()} ${attempt}`.replaceAll(" ", "-");
      if (taken.has(text.toLowerCase())) continue;
      taken.add(text.toLowerCase());
      return text;
    }
  }
  const freeTitle = (words: Vocabulary) => takeFree(titles, () => writeTitle(words, random));
  const freeName = (words: Vocabulary) => takeFree(names, () => writeName(words, random));
  const date = () => `2026-0${random.between(1, 9)}-${random.between(10, 28)}`;
  function newPost(words: Vocabulary, own: Pick<Post, "title" | "body" | "file" | "date">): Post {
    const slug = random.chance(0.2) ? freeName(words) : undefined;
    return { identity: ++identities, ...own, slug, isDraft: false, words };
  }

  return {
    random,
    get tree() {
      return tree;
    },
    get trash() {
      return trash;
    },
    ready: () => [...tree.values()].filter(isReady),
    published: () => [...tree.values()].filter((post) => isReady(post) && inBlog.has(post.identity)),
    versionsOf,
    slugsOf: (identity) => versionsOf(identity).map(({ slug, file }) => slug ?? slugOfFile(file)),
    put(post, formerFile) {
      tree = new Map([...tree].filter(([file]) => file !== formerFile)).set(post.file, post);
      trash = trash.filter(({ identity }) => identity !== post.identity);
      versions.set(post.identity, [...(versions.get(post.identity) ?? []), post]);
    },
    remove(post) {
      tree = new Map([...tree].filter(([file]) => file !== post.file));
      trash = [post, ...trash];
    },
    begin() {
      const words = drawVocabulary(random);
      const file = `${freeName(words)}.md`;
      return newPost(words, { file, title: freeTitle(words), body: writeBody(words, random), date: date() });
    },
    beginWeek() {
      const words = drawVocabulary(random);
      weeks += 1;
      const title = `Notes of week ${weeks}`;
      const day = new Date(Date.UTC(2026, 0, 2 + weeks * 7)).toISOString().slice(0, 10);
      return newPost(words, { file: `week-${weeks}.md`, title, body: writeWeek(words, random), date: day });
    },
    beginFrom({ words }, body) {
      return newPost(words, { file: `${freeName(words)}.md`, title: freeTitle(words), body, date: date() });
    },
    freeName,
    freeTitle,
    date,
    later: () => FUTURE,
    notePublished(identities) {
      inBlog = identities;
    },
    take(other) {
      tree = other;
    },
  };
}

function slugOfFile(file: string): string {
  return file.replace(/\.md$/, "").replaceAll("/", "-");
}

/** Renders the file of a post. */
export function renderPost({ title, date, slug, isDraft, body }: Post): string {
  const lines = [
    `title: "${title}"`,
    `pubDate: ${date}`,
    ...(slug === undefined ? [] : [`slug: ${slug}`]),
    ...(isDraft ? ["draft: true"] : []),
  ];
  return `---\n${lines.join("\n")}\n---\n\n${body.join("\n\n")}\n`;
}
