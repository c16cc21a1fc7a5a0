// The requirement for every host: what was built is live, and nothing else was changed. Computed from the files of the
// build and from what visitors get, never from the publisher's own state.

import type { Stranger } from "./host.ts";
import type { World } from "./host/world.ts";
import { readBuilt } from "./live/built-site.ts";
import { checkPages } from "./live/check-pages.ts";
import { checkPosts } from "./live/check-posts.ts";
import { namesOfText, type Difference } from "./live/difference.ts";
import { createVisitor } from "./live/visitor.ts";

/** The content of an account before a project was published to it. */
export interface Others {
  readonly pages: ReadonlyMap<string, string>;
  readonly posts: ReadonlyMap<string, string>;
  readonly blogs: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  readonly brandKits: ReadonlyMap<string, string>;
}

export function noteOthers(world: World): Others {
  const posts = [...world.posts].flatMap(([blogId, posts]) =>
    posts.map((post) => [`${blogId}/${post.id}`, post] as const),
  );
  return {
    pages: noted([...world.pages]),
    posts: noted(posts),
    blogs: noted([...world.blogs]),
    assets: noted([...world.assets].map(([id, asset]) => [id, { ...asset, bytes: undefined }] as const)),
    sites: noted([...world.sites]),
    brandKits: noted([...world.brandKits]),
  };
}

function noted(records: readonly (readonly [string, unknown])[]): ReadonlyMap<string, string> {
  return new Map(records.map(([key, record]) => [key, JSON.stringify(record)]));
}

export interface LiveCheck {
  readonly stranger: Stranger;
  readonly project: string;
  readonly others: Others;
}

/** Returns every difference between the build in a project folder and what is live. */
export async function checkLive({ stranger, project, others }: LiveCheck): Promise<readonly Difference[]> {
  const { world } = stranger;
  const built = await readBuilt(project);
  const visitor = createVisitor();
  const records = [...world.pages.values()].filter(({ slug }) => !others.pages.has(slug));
  const posts = [...world.posts].flatMap(([blogId, posts]) =>
    posts.filter(({ id }) => !others.posts.has(`${blogId}/${id}`)),
  );
  return [
    ...(await checkPages({ stranger, visitor, built: built.pages, records })),
    ...(await checkPosts({ stranger, visitor, built, posts })),
    ...findTouched(world, others),
    ...findTwice(world, others),
  ];
}

function findTouched(world: World, others: Others): readonly Difference[] {
  const now = noteOthers(world);
  const areas = ["pages", "posts", "blogs", "assets", "sites", "brandKits"] as const;
  const changed = areas.flatMap((area) =>
    [...others[area]].flatMap(([key, before]) => {
      const after = now[area].get(key);
      if (after === before) return [];
      return [`${area} ${key} of somebody else ${after === undefined ? "is gone" : "was changed"}`];
    }),
  );
  const added = [...world.posts]
    .filter(
      ([blogId, posts]) => others.blogs.has(blogId) && posts.some(({ id }) => !others.posts.has(`${blogId}/${id}`)),
    )
    .map(([blogId]) => `blog ${blogId} of somebody else got posts`);
  return [...changed, ...added].map((what) => ({ kind: "foreign", about: what, what, names: [] }));
}

function findTwice(world: World, others: Others): readonly Difference[] {
  const own = [...world.assets.values()].filter(({ id }) => !others.assets.has(id));
  const byHash = Map.groupBy(own, ({ sha256 }) => sha256);
  const assets = [...byHash.values()]
    .filter((same) => same.length > 1)
    .map((same): Difference => {
      const names = same.map(({ name }) => name);
      return {
        ...{ kind: "asset-twice", about: names[0] ?? "" },
        what: `the same file is in the library ${same.length} times: ${names.join(", ")}`,
        names: namesOfText(...names),
      };
    });
  const records = (["blogs", "sites", "brandKits"] as const).flatMap((kind): readonly Difference[] => {
    const count = [...world[kind].keys()].filter((id) => !others[kind].has(id)).length;
    // Route set B can't change a kit: a changed one is a new one, and the site has the last.
    const isReplaced =
      kind === "brandKits" && isEachDifferent([...world[kind]].filter(([id]) => !others[kind].has(id)));
    return count < 2 || isReplaced
      ? []
      : [{ kind: "record-twice", about: kind, what: `${count} ${kind} of one project`, names: [] }];
  });
  return [...assets, ...records];
}

function isEachDifferent(kits: readonly (readonly [string, unknown])[]): boolean {
  const contents = kits.map(([, kit]) =>
    JSON.stringify(kit, (key, value) => (/^id$|At$/.test(key) ? undefined : value)),
  );
  return new Set(contents).size === contents.length;
}
