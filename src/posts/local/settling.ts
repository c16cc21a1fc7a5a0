import { stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { mapPool } from "../../base/pool.ts";
import type { SitePost } from "../post.ts";
import { runGit } from "./git.ts";

export interface SettleSettings {
  readonly projectRoot: string;
  /** Folder of the posts, relative to the project. Images elsewhere are ignored. */
  readonly folder: string;
  /** How long a post must stay unchanged; `undefined`: no wait. */
  readonly settleMs: number | undefined;
  readonly now: Date;
}

const FILES_AT_A_TIME = 8;

/** Sets on each post when it will have been unchanged for long enough; posts that already are stay as they are. */
export async function findSettling(
  posts: readonly SitePost[],
  { projectRoot, folder, settleMs, now }: SettleSettings,
): Promise<readonly SitePost[]> {
  if (settleMs === undefined) return posts;
  return await mapPool(posts, FILES_AT_A_TIME, async (post) => {
    const images = post.assets.flatMap(({ source }) => (source.kind === "file" ? source.path : []));
    // An image made by the build is as new as the build.
    const own = images.filter((path) => path.startsWith(join(projectRoot, folder) + sep));
    const files = [join(projectRoot, post.file), ...own];
    const written = await findWritten(files);
    if (written + settleMs <= now.getTime()) return post;
    // A fresh checkout rewrites every file, so git has the more accurate time.
    const changed = (await findCommitted(projectRoot, files)) ?? written;
    const settlesAt = new Date(changed + settleMs);
    return settlesAt <= now ? post : { ...post, settlesAt };
  });
}

async function findWritten(files: readonly string[]): Promise<number> {
  // A post from a loader has no file and thus no modification time.
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return Math.max(0, ...found.map((status) => status?.mtimeMs ?? 0));
}

/** When the files were last committed; `undefined` if they differ from git or there is no git. */
async function findCommitted(cwd: string, files: readonly string[]): Promise<number | undefined> {
  const changes = await runGit(["status", "--porcelain", "--", ...files], { cwd });
  const time = await runGit(["log", "-1", "--format=%cI", "--", ...files], { cwd });
  const committed = Date.parse(time?.trim() ?? "");
  return changes?.trim() === "" && Number.isFinite(committed) ? committed : undefined;
}
