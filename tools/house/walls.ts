import type { SourceFile } from "./sources.ts";

/** What the files of one folder may import, including types. */
interface Wall {
  /** Folders (or files) of `src/`; packages and Node's modules are allowed, except in a pure folder. */
  readonly imports: readonly string[];
  /** Folders from which only types may be imported. */
  readonly types?: readonly string[];
  /** Disk, network, clock and processes have to be passed in. */
  readonly isPure?: true;
}

/**
 * The import rules of `src/`: data flows from the bottom of the table to its top, and imports point from the top to the
 * bottom. Move code instead of relaxing a row. Any folder may be loaded by `await import()`, which is the only way to
 * load `service`.
 */
export const WALLS: Readonly<Record<string, Wall>> = {
  base: { imports: [], isPure: true },
  contract: { imports: [], isPure: true },
  disk: { imports: ["base"] },
  memory: { imports: ["disk", "base"] },
  html: { imports: ["contract", "base"], isPure: true },
  options: { imports: ["contract", "base"], isPure: true },
  brand: { imports: ["html", "contract", "base"], isPure: true },
  client: { imports: ["contract", "base"] },
  site: { imports: ["html", "options", "memory", "disk", "contract", "base"] },
  posts: {
    imports: ["site", "client", "html", "options", "memory", "disk", "contract", "base"],
  },
  sync: { imports: ["posts", "site", "brand", "client", "html", "options", "memory", "disk", "contract", "base"] },
  target: {
    imports: ["sync", "posts", "site", "client", "options", "memory", "disk", "contract", "base"],
    types: ["service.ts"],
  },
  integration: {
    imports: ["publish.ts", "target", "sync", "posts", "site", "client", "options", "disk", "contract", "base"],
  },
  cli: {
    imports: [
      "publish.ts",
      "client.ts",
      "target",
      "sync",
      "posts",
      "site",
      "brand",
      "client",
      "html",
      "options",
      "disk",
      "contract",
      "base",
    ],
    types: ["service.ts"],
  },
  service: { imports: ["brand", "html", "disk", "contract", "base"] },
};

/**
 * The folders of the service from bottom to top: a file may import values only from folders before its own. Types,
 * `await import()` and the entries in `src/service` itself are exempt.
 */
export const SERVICE_ROOMS: readonly string[] = [
  ...["http", "guarded-fetch", "store", "markdown", "resources", "look", "auth"],
  ...["jobs", "archive", "webhooks", "mail", "api", "app-pages", "mcp", "visitors", "domains", "dashboard", "oauth"],
  ...["host", "development"],
];

const IMPURE = /^node:(?:fs|fs\/promises|http|https|net|child_process|sqlite|os|worker_threads)$|^undici$/;

/** Describes every import that breaks a rule. */
export function findBreaches(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    const wall = room === undefined ? undefined : WALLS[room];
    if (room !== undefined && wall === undefined)
      return [`${path}: the room ${room} has no row in tools/house/walls.ts`];
    if (wall === undefined || room === undefined) return [];
    return imports.flatMap(({ from, isValue }) => {
      if (IMPURE.test(from)) return wall.isPure ? [`${path} imports ${from}, but ${room} is pure`] : [];
      const names = [room, ...wall.imports, ...(isValue ? [] : (wall.types ?? []))];
      const may = names.map((name) => `src/${name}`);
      const isAllowed = !from.startsWith("src/") || may.some((name) => from === name || from.startsWith(`${name}/`));
      return isAllowed ? [] : [`${path} imports ${from}, which ${room} may not`];
    });
  });
}

/** Describes every value import within the service that points up. */
export function findUpwardImports(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, imports }) => {
    const room = serviceRoomOf(path);
    if (room === undefined) return [];
    const place = SERVICE_ROOMS.indexOf(room);
    if (place === -1) return [`${path}: the room ${room} of the service has no place in tools/house/walls.ts`];
    return imports.flatMap(({ from, isValue }) => {
      const other = serviceRoomOf(from);
      const isUp = isValue && other !== undefined && SERVICE_ROOMS.indexOf(other) > place;
      return isUp ? [`${path} imports ${from}, which stands above ${room}`] : [];
    });
  });
}

function serviceRoomOf(path: string): string | undefined {
  return /^src\/service\/([^/]+)\//.exec(path)?.[1];
}

/** Returns the folder of a file; `undefined` for the entries, which are in `src/` itself. */
function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}
