import type { Dialect, PagesDialect } from "../dialect.ts";
import { keepAsset } from "./library.ts";
import type { PageRecord, PostRecord, World } from "./world.ts";

/** Actions of people in the dashboard, or of other programs with the same key. */
export interface ByHand {
  /** Changes the host's rules for pages. */
  setRules(rules: Partial<PagesDialect>): void;
  /** Changes the library's file limit. */
  makeRoom(files: number): void;
  /** From now on, the list of pages comes from a cache. */
  cachePages(): void;
  deletePage(slug: string): void;
  editPage(slug: string, edit: (html: string) => string): void;
  /** Changes a page's title in the host's list. */
  retitlePage(slug: string, edit: (title: string) => string): void;
  /** Moves a page to the trash, or restores it. */
  trashPage(slug: string, trashed: PageRecord["trashed"]): void;
  /** Changes the slug of a page. */
  movePage(slug: string, to: string): void;
  deletePost(blogId: string, postId: string): void;
  editPost(blogId: string, postId: string, html: string): void;
  deleteAsset(id: string): void;
  /** Moves a file to the trash, where the list still shows it. */
  trashAsset(id: string): void;
  /** Moves a post to the trash, where the list still shows it, with a status if given. */
  trashPost(blogId: string, postId: string, status?: string): void;
  /** Changes fields of a brand kit. */
  editBrandKit(id: string, fields: Readonly<Record<string, unknown>>): void;
  /** Creates a brand kit, and makes all sites use it. Returns its ID. */
  useBrandKit(name: string): string;
  createPage(slug: string, title: string): PageRecord;
  createPost(blogId: string, title: string): PostRecord;
  createAsset(name: string): void;
  /** From now on, changes what visitors get of pages and posts, while the API shows them as before. */
  deliver(change: (html: string) => string): void;
  /** Shows an advertisement at all former addresses of pages that were moved to another domain. */
  park(): void;
  /** Returns the ID of the blog. */
  createBlog(name: string): string;
  /** Gives everything except pages another ID, and files another address, as if it was imported from a backup. */
  importAnew(): void;
  /** Fills the account with pages and files, and a blog. */
  fill(count: number): void;
}

export function byHand(dialect: Dialect, world: World): ByHand {
  const now = () => world.now().toISOString();
  const hands: ByHand = {
    setRules: (rules) => void Object.assign(dialect.pages, rules),
    deliver: (change) => void (world.deliver = change),
    park: () => void (world.isParked = true),
    makeRoom: (files) => void Object.assign(dialect.library, { room: { ...dialect.library.room, files } }),
    cachePages: () => void (world.cachedPages = [...world.pages.values()]),
    deletePage: (slug) => void world.pages.delete(slug),
    editPage(slug, edit) {
      const page = world.pages.get(slug);
      if (page !== undefined)
        world.pages.set(slug, { ...page, html: edit(page.html), updatedAt: now(), writes: page.writes + 1 });
    },
    retitlePage(slug, edit) {
      const page = world.pages.get(slug);
      if (page !== undefined) world.pages.set(slug, { ...page, title: edit(page.title), updatedAt: now() });
    },
    trashPage(slug, trashed) {
      const { trashed: _, ...page } = world.pages.get(slug) ?? hands.createPage(slug, slug);
      world.pages.set(slug, { ...page, ...(trashed && { trashed }), updatedAt: now() });
    },
    movePage(slug, to) {
      const page = world.pages.get(slug);
      world.pages.delete(slug);
      if (page !== undefined) world.pages.set(to, { ...page, slug: to, updatedAt: now() });
    },
    deletePost(blogId, postId) {
      const posts = world.posts.get(blogId) ?? [];
      world.posts.set(
        blogId,
        posts.filter(({ id }) => id !== postId),
      );
    },
    editPost(blogId, postId, html) {
      const posts = world.posts.get(blogId) ?? [];
      world.posts.set(
        blogId,
        posts.map((post) => (post.id === postId ? { ...post, html } : post)),
      );
    },
    editBrandKit(id, fields) {
      const kit = world.brandKits.get(id);
      if (kit !== undefined) world.brandKits.set(id, { ...kit, fields: { ...kit.fields, ...fields } });
    },
    useBrandKit(name) {
      const brandKitId = world.newId("bk");
      world.brandKits.set(brandKitId, { id: brandKitId, fields: { name }, createdAt: now() });
      for (const [id, site] of world.sites) {
        world.sites.set(id, { ...site, fields: { ...site.fields, brandKitId } });
      }
      return brandKitId;
    },
    deleteAsset: (id) => void world.assets.delete(id),
    trashAsset(id) {
      const asset = world.assets.get(id);
      if (asset !== undefined) world.assets.set(id, { ...asset, deletedAt: now() });
    },
    trashPost(blogId, postId, status) {
      const trashed = { deletedAt: now(), ...(status !== undefined && { status }) };
      const posts = world.posts.get(blogId) ?? [];
      world.posts.set(
        blogId,
        posts.map((post) => (post.id === postId ? { ...post, trashed } : post)),
      );
    },
    createPage(slug, title) {
      const html = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
      const at = { createdAt: now(), updatedAt: now() };
      const page = { id: world.newId("pg"), slug, title, html, ...at, writes: 1, visibleFrom: 0 };
      world.pages.set(slug, page);
      return page;
    },
    createPost(blogId, title) {
      const slug = title.toLowerCase().replaceAll(" ", "-");
      const post = { id: world.newId("po"), slug, title, html: `<p>${title}</p>`, createdAt: now(), sent: {} };
      world.posts.set(blogId, [...(world.posts.get(blogId) ?? []), post]);
      return post;
    },
    createAsset(name) {
      const bytes = Buffer.from(`someone else's ${name}`);
      const asset = keepAsset({ dialect, world }, { name, type: "image/png", bytes });
      world.assets.set(asset.id, asset);
    },
    createBlog(name) {
      const id = world.newId("bl");
      world.blogs.set(id, { id, fields: { [dialect.posts.blogName]: name }, createdAt: now() });
      world.posts.set(id, []);
      return id;
    },
    importAnew() {
      for (const records of [world.sites, world.brandKits, world.blogs, world.assets] as const) renumber(records);
      for (const [blog, posts] of [...world.posts]) {
        world.posts.delete(blog);
        world.posts.set(
          `new-${blog}`,
          posts.map((post) => ({ ...post, id: `new-${post.id}` })),
        );
      }
    },
    fill(count) {
      if (count === 0) return;
      const separator = dialect.pages.slugs?.pattern.test("a-b") === false ? "_" : "-";
      for (let number = 1; number <= count; number += 1) {
        hands.createPage(`campaign${separator}${number}`, `Campaign ${number}`);
        hands.createAsset(`campaign-${number}.png`);
      }
      const id = hands.createBlog("Campaign news");
      for (let number = 1; number <= 25; number += 1) hands.createPost(id, `News ${number}`);
    },
  };
  return hands;
}

function renumber(records: Map<string, { readonly id: string }>): void {
  for (const [former, record] of [...records]) {
    const id = `new-${former}`;
    records.delete(former);
    const path = "path" in record ? { path: String(record.path).replace(former, id) } : {};
    records.set(id, { ...record, id, ...path });
  }
}
