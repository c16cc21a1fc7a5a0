// An editor's changes to the files. Each move describes what it did; nothing if it wasn't applicable.

import { basename } from "node:path";
import type { Desk, Post } from "./desk.ts";
import { changeWord, writeParagraph } from "./texts.ts";

export type Move = (desk: Desk) => string | undefined;

type Change = (desk: Desk, post: Post) => Post;

// The first and last blocks are never moved, so that the text of one version never contains that of another.
function withBlock(post: Post, index: number, block: string): Post {
  return { ...post, body: post.body.with(index, block) };
}

const editWord: Change = ({ random }, post) => {
  const texts = [...post.body.keys()].filter((index) => /^[A-Z]/.test(post.body[index] ?? ""));
  const index = random.pick(texts);
  return withBlock(post, index, changeWord(post.body[index] ?? "", post.words, random));
};

const editParagraph: Change = ({ random }, post) => {
  const index = random.between(0, post.body.length - 1);
  return withBlock(post, index, writeParagraph(post.words, random));
};

const addParagraph: Change = ({ random }, post) => ({
  ...post,
  body: post.body.toSpliced(random.between(1, post.body.length - 1), 0, writeParagraph(post.words, random)),
});

const changeTitle: Change = (desk, post) => ({ ...post, title: desk.freeTitle(post.words) });
const changeDate: Change = (desk, post) => ({ ...post, date: desk.date() });
const same: Change = (_, post) => post;

/** Picks a published post, preferably one whose address is derived from its file. */
function pickPublished({ random, published }: Desk): Post | undefined {
  const posts = published();
  const plain = posts.filter(({ slug }) => slug === undefined);
  if (posts.length === 0) return undefined;
  return random.pick(plain.length > 0 && random.chance(0.85) ? plain : posts);
}

function renamed(words: string, change: Change): Move {
  return (desk) => {
    const post = pickPublished(desk);
    if (post === undefined) return undefined;
    const folder = post.file.slice(0, -basename(post.file).length);
    const moved = change(desk, { ...post, file: `${folder}${desk.freeName(post.words)}.md` });
    desk.put(moved, post.file);
    return `rename ${post.file} to ${moved.file}${words}`;
  };
}

function edited(words: string, change: Change): Move {
  return (desk) => {
    const posts = desk.ready();
    if (posts.length === 0) return undefined;
    const post = desk.random.pick(posts);
    desk.put(change(desk, post));
    return `${words} of ${post.file}`;
  };
}

const moveIntoFolder: Move = (desk) => {
  const post = pickPublished(desk);
  if (post === undefined) return undefined;
  const file = `${desk.random.pick(["2026", "archive", "notes"])}/${basename(post.file)}`;
  if (desk.tree.has(file)) return undefined;
  desk.put({ ...post, file }, post.file);
  return `move ${post.file} to ${file}`;
};

const changeSlug: Move = (desk) => {
  const post = pickPublished(desk);
  if (post === undefined) return undefined;
  const slug = desk.freeName(post.words);
  desk.put({ ...post, slug });
  return `set the slug of ${post.file} to ${slug}`;
};

const swapNames: Move = (desk) => {
  const posts = desk.published();
  const [one, other] = desk.random.some(posts, 2);
  if (one === undefined || other === undefined) return undefined;
  desk.put({ ...one, file: other.file });
  desk.put({ ...other, file: one.file });
  return `swap the names of ${one.file} and ${other.file}`;
};

const copyAsStart: Move = (desk) => {
  const post = pickPublished(desk);
  if (post === undefined) return undefined;
  const { random } = desk;
  const share = random.pick([0.3, 0.6, 0.9]);
  const body = post.body.map((block, index) =>
    index === 0 || random.chance(share) ? writeParagraph(post.words, random) : block,
  );
  const copy = desk.beginFrom(post, body);
  const date = random.chance(0.5) ? post.date : copy.date;
  desk.put({ ...copy, date });
  return `copy ${post.file} as ${copy.file}, with another title and ${share * 100} % of its text new`;
};

const create: Move = (desk) => {
  const post = desk.random.chance(0.35) ? desk.beginWeek() : desk.begin();
  desk.put(post);
  return `create ${post.file}`;
};

const createDraft: Move = (desk) => {
  const post = desk.begin();
  desk.put({ ...post, isDraft: true });
  return `create ${post.file} as a draft`;
};

const remove: Move = (desk) => {
  const post = pickPublished(desk);
  if (post === undefined) return undefined;
  desk.remove(post);
  return `delete ${post.file}`;
};

const removeAndReuseName: Move = (desk) => {
  const [gone, moved] = desk.random.some(desk.published(), 2);
  if (gone === undefined || moved === undefined) return undefined;
  desk.remove(gone);
  desk.put({ ...moved, file: gone.file }, moved.file);
  return `delete ${gone.file}, and rename ${moved.file} to that name`;
};

function restored(isRenamed: boolean): Move {
  return (desk) => {
    const post = desk.trash.find(({ file }) => !desk.tree.has(file));
    if (post === undefined) return undefined;
    const file = isRenamed ? `${desk.freeName(post.words)}.md` : post.file;
    desk.put({ ...post, file });
    return `restore ${post.file}${isRenamed ? ` as ${file}` : ""}`;
  };
}

const revert: Move = (desk) => {
  const edited = desk.ready().filter(({ identity }) => desk.versionsOf(identity).length > 1);
  if (edited.length === 0) return undefined;
  const post = desk.random.pick(edited);
  const [first] = desk.versionsOf(post.identity);
  desk.put({ ...post, body: first?.body ?? post.body, title: first?.title ?? post.title });
  return `revert the text and the title of ${post.file}`;
};

const draft: Move = (desk) => {
  const posts = desk.ready();
  if (posts.length === 0) return undefined;
  const post = desk.random.pick(posts);
  desk.put({ ...post, isDraft: true });
  return `make ${post.file} a draft`;
};

const undraft: Move = (desk) => {
  const post = [...desk.tree.values()].find(({ isDraft }) => isDraft);
  if (post === undefined) return undefined;
  desk.put({ ...post, isDraft: false });
  return `publish the draft ${post.file}`;
};

const schedule: Move = (desk) => {
  const post = desk.random.chance(0.5) ? desk.begin() : pickPublished(desk);
  if (post === undefined) return undefined;
  desk.put({ ...post, date: desk.later() });
  return `schedule ${post.file}`;
};

const renameDraft: Move = (desk) => {
  const post = [...desk.tree.values()].find(({ isDraft }) => isDraft);
  if (post === undefined) return undefined;
  const file = `${desk.freeName(post.words)}.md`;
  desk.put(changeTitle(desk, { ...post, file }), post.file);
  return `rename the draft ${post.file} to ${file}, with another title`;
};

/** The main moves of histories, by kind. */
export const MAIN_MOVES = {
  rename: renamed("", same),
  "rename + word": renamed(", with another word", editWord),
  "rename + paragraph": renamed(", with another paragraph", editParagraph),
  "rename + title": renamed(", with another title", changeTitle),
  "rename + date": renamed(", with another date", changeDate),
  "rename + all": renamed(", with another title, date and paragraph", (desk, post) =>
    addParagraph(desk, changeDate(desk, changeTitle(desk, post))),
  ),
  "slug change": changeSlug,
  "title change": edited("change the title", changeTitle),
  subfolder: moveIntoFolder,
  "names swapped": swapNames,
  "name reused": removeAndReuseName,
  copy: copyAsStart,
  "restored renamed": restored(true),
} as const satisfies Readonly<Record<string, Move>>;

/** Moves before and after it; frequent ones are listed twice. */
export const OTHER_MOVES: readonly Move[] = [
  create,
  create,
  createDraft,
  edited("change a word", editWord),
  edited("change a word", editWord),
  edited("change a paragraph", editParagraph),
  edited("add a paragraph", addParagraph),
  edited("change the title", changeTitle),
  edited("change the date", changeDate),
  revert,
  remove,
  restored(false),
  draft,
  undraft,
  schedule,
  renameDraft,
  changeSlug,
  copyAsStart,
  renamed("", same),
  renamed(", with another word", editWord),
];

export const firstPosts: Move = (desk) => {
  const moves = [create, create, ...desk.random.some([create, create, createDraft, addWeeks], 2)];
  return moves.map((move) => move(desk)).join(", ");
};

function addWeeks(desk: Desk): string {
  const [one, other] = [desk.beginWeek(), desk.beginWeek()];
  desk.put(one);
  desk.put(other);
  return `create ${one.file} and ${other.file}`;
}

export const removeForLater: Move = remove;
export const editForLater: Move = edited("change a word", editWord);
