import { readFile, realpath } from "node:fs/promises";
import { messageOf } from "../../base/error.ts";
import { splitFrontMatter } from "../read/split-front-matter.ts";
import { isOnlyChange, replaceFile } from "./replace-file.ts";

/** Adds the line with a post's id to its file. Returns a note for the author if that isn't possible. */
export async function writePostId(file: string, id: string): Promise<string | undefined> {
  try {
    const text = insertPostId(await readFile(file, "utf8"), id);
    if (text === undefined)
      return `The line \`${ID_KEY}: ${id}\` couldn't be added to its front matter. Add it yourself to keep it.`;
    await replaceFile(await realpath(file), text);
    return undefined;
  } catch (error) {
    return `Its file can't be written (${messageOf(error)}). Add the line \`${ID_KEY}: ${id}\` to its front matter.`;
  }
}

/** The front matter key with the id of a post on the service. */
export const ID_KEY = "imprintId";

const ID_LINE = new RegExp(`^${ID_KEY}\\s*[:=]`);

/**
 * Adds one line with a post's id to its front matter, or replaces the line with the id of a post that this one
 * supersedes; every other character stays. Returns `undefined` if there is no line-based front matter, or if the line
 * would change the meaning of others.
 */
export function insertPostId(text: string, id: string): string | undefined {
  const split = splitFrontMatter(text);
  if (split.kind !== "front-matter" || split.language === "json") return undefined;
  // In TOML, a line at the end may belong to a table.
  const isToml = split.language === "toml";
  const pieces = text.split(/(\r\n|\n|\r)/);
  const old = split.block.split("\n").findIndex((each) => ID_LINE.test(each));
  const line = old === -1 ? (isToml ? split.blockLine : split.bodyLine - 1) : split.blockLine + old;
  const end = pieces[(split.blockLine - 2) * 2 + 1] ?? "\n";
  const value = JSON.stringify(id);
  const added = isToml ? `${ID_KEY} = ${value}` : `${ID_KEY}: ${/^[A-Za-z_][\w-]*$/.test(id) ? id : value}`;
  const rest = pieces.slice((line - (old === -1 ? 1 : 0)) * 2);
  const result = [...pieces.slice(0, (line - 1) * 2), added, end, ...rest].join("");
  return isOnlyChange(text, result, { key: ID_KEY, value: id }) ? result : undefined;
}
