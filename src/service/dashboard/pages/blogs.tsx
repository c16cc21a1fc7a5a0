import { titlesOf } from "../../../contract/fields.ts";
import { blogRecord, POST_STATUSES, postRecord } from "../../../contract/records.ts";
import { blogCreateBody, type PostPatchBody } from "../../../contract/operations/blogs.ts";
import { blogUrl } from "../../resources/addresses.ts";
import { createBlog, getBlog } from "../../resources/blogs.ts";
import type { Context } from "../../resources/context.ts";
import { patchPost, removePost } from "../../resources/posts.ts";
import { ProblemError } from "../../http/problem.ts";
import { listBlogs, type Blog } from "../../store/blogs.ts";
import { listSortedPosts, type PostSummary } from "../../store/posts.ts";
import { BY_TITLE, CHANGED, NEWEST } from "../../store/sorted.ts";
import { paramOf, readSiteNames, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, valuesOf, type Fields, type FormState, type FormValues } from "../forms.ts";
import { ButtonLink, FormLink } from "../parts/actions.tsx";
import { BulkForm, MAX_BULK, Pick, registerBulk, TAG_FIELDS, withTags, type BulkPages } from "../parts/bulk.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import {
  chosen,
  ListTools,
  mayChange,
  parseListQuery,
  readListQuery,
  SortedList,
  type ListQuery,
  type ListView,
} from "../parts/list-view.tsx";
import { PublishState, Table, TableList, Time, windowOf, type Column } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(blogRecord);
const POST_TITLES = titlesOf(postRecord);

const FIELDS: Fields = {
  name: { label: TITLES.name, required: true },
  description: { label: TITLES.description, kind: "lines", hint: "Shown above the posts." },
  siteId: { label: TITLES.siteId, kind: "choice", hint: "The blog uses the site’s name, logo and colors." },
  language: { label: TITLES.language, hint: "A tag such as en or pt-BR. Leave empty to use the site’s language." },
};

const NEW_FIELDS: Fields = {
  ...FIELDS,
  slug: {
    label: TITLES.slug,
    hint: "Part of the blog’s address, which can’t be changed later. Leave empty to derive it from the name.",
  },
};

/** Blogs: the list, and one with its posts. */
export function registerBlogPages(app: DashboardApp): void {
  registerBulk(app, BULK);
  resourcePages(app, {
    section: "/blogs",
    route: "/blogs/:blog",
    find: (context) => getBlog(context.var.records, paramOf(context, "blog")),
    list: showBlogs,
    create: { route: "/blogs/new", render: showNewBlog, save: saveNewBlog },
    edit: {
      render: showBlog,
      values: (blog) => valuesOf(FIELDS, blog),
      async save(context, { slug }, values) {
        // Creating a blog under a slug that there is changes that blog.
        const body = { ...parseFields(blogCreateBody, { fields: FIELDS, values }), slug };
        await write(context, (records) => createBlog(records, body));
        return `/blogs/${slug}?notice=saved`;
      },
    },
  });
}

async function showBlogs(context: DashboardContext): Promise<Response> {
  const { database, accountId, addresses } = context.var.records;
  const blogs = await listBlogs(database, accountId, windowOf(context));
  const sites = await readSiteNames(context);
  return renderPage(
    context,
    { actions: <FormLink to="/blogs/new" label="New blog" /> },
    <TableList
      of={blogs}
      empty={
        <>
          A blog lists posts, newest first. Publishing a site with posts creates one automatically;{" "}
          <a href="/blogs/new">or create one here</a>.
        </>
      }

      caption="Blogs, newest first"
      columns={[
        ["Blog", ({ slug, name }) => <a href={`/blogs/${slug}`}>{name}</a>],
        [TITLES.siteId, ({ siteId }) => sites.get(siteId ?? "")],
        [TITLES.postCount, ({ postCount }) => postCount],
        [TITLES.url, ({ slug }) => <a href={blogUrl(addresses, slug)}>/blog/{slug}</a>],
        [TITLES.updatedAt, ({ updatedAt }) => updatedAt],
      ]}
    />,
  );
}

async function showNewBlog(context: DashboardContext, form: FormState): Promise<Response> {
  const offers = { siteId: [["", "No site"] as const, ...(await readSiteNames(context))] };
  return renderPage(
    context,
    { title: "New blog", form },
    <FieldsForm to="/blogs" fields={NEW_FIELDS} offers={offers} state={form} button="Create blog" />,
  );
}

// To a program, creating the same blog again is the same wish; a person who types a taken slug means another blog.
async function saveNewBlog(context: DashboardContext, values: FormValues): Promise<string> {
  const body = parseFields(blogCreateBody, { fields: NEW_FIELDS, values });
  const { slug } = await write(context, async (records) => {
    const { blog, outcome } = await createBlog(records, body);
    if (outcome === "created") return blog;
    const detail = `There is a blog “${blog.slug}” already.`;
    throw new ProblemError("slug_taken", { detail, errors: [{ pointer: "/body/slug", detail: "is taken" }] });
  });
  return `/blogs/${slug}?notice=blog-created`;
}

const VIEW: ListView = {
  search: { label: "Find a post", placeholder: "Title or slug" },
  filters: {
    status: {
      label: POST_TITLES.status,
      kind: "choice",
      options: [
        ["", "All"],
        ["published", "Published"],
        ["draft", "Drafts"],
      ],
    },
    tag: { label: "Tag" },
  },
  sorts: {
    created: { text: "Newest first", sort: NEWEST },
    changed: { text: "Last changed", sort: CHANGED },
    title: { text: "Title", sort: BY_TITLE },
  },
};

async function readPosts({ var: { records } }: DashboardContext, blogId: string, query: ListQuery) {
  const status = POST_STATUSES.find((each) => each === chosen(query, "status"));
  const filter = { text: chosen(query, "q"), status, tag: chosen(query, "tag") };
  return await listSortedPosts(records.reader, blogId, { filter, window: query.window });
}

const findBlog = async (context: DashboardContext) => await getBlog(context.var.records, paramOf(context, "blog"));

function patchOne(records: Context, { blogId, slug }: PostSummary, patch: PostPatchBody) {
  return patchPost(records, { blogName: blogId, slug, patch, preconditions: {} });
}

const BULK: BulkPages<PostSummary> = {
  route: "/blogs/:blog/bulk",
  noun: "post",
  async parentOf(context) {
    const { name, slug } = await findBlog(context);
    return { title: name, path: `/blogs/${slug}` };
  },
  async find(context, ids) {
    const window = { sort: NEWEST, limit: MAX_BULK };
    const { id } = await findBlog(context);
    return (await listSortedPosts(context.var.records.database, id, { filter: { ids }, window })).items;
  },
  async findAll(context, search) {
    const { id } = await findBlog(context);
    return (await readPosts(context, id, parseListQuery(VIEW, search, MAX_BULK))).items;
  },
  nameOf: ({ title, slug }) => `${title} (${slug})`,
  actions: {
    publish: {
      label: "Publish",
      done: "published",
      leave: ({ status }) => (status === "published" ? "is published already" : undefined),
      run: (records, post) => patchOne(records, post, { status: "published" }),
    },
    unpublish: {
      label: "Unpublish",
      done: "unpublished",
      consequence: "Readers won’t see them any more. Nothing is deleted.",
      leave: ({ status }) => (status === "draft" ? "is a draft already" : undefined),
      run: (records, post) => patchOne(records, post, { status: "draft" }),
    },
    tag: {
      label: "Tag",
      done: "tagged",
      fields: TAG_FIELDS,
      run: (records, post, values) => patchOne(records, post, { tags: [...withTags(post.tags, values)] }),
    },
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence:
        "Their texts are lost unless you have them elsewhere, such as in the files that they were published from.",
      run: (records, { blogId, slug }) => removePost(records, { blogName: blogId, slug, preconditions: {} }),
    },
  },
};

/** A blog: its posts, and what it is called. */
async function showBlog(context: DashboardContext, blog: Blog, form: FormState): Promise<Response> {
  const { addresses } = context.var.records;
  const path = `/blogs/${blog.slug}`;
  const query = readListQuery(context, VIEW);
  const posts = await readPosts(context, blog.id, query);
  const offers = { siteId: [["", "No site"] as const, ...(await readSiteNames(context))] };
  const actions = (
    <>
      <FormLink to={`${path}/new`} label="Write a post" />
      <ButtonLink to={blogUrl(addresses, blog.slug)} variant="quiet" label="Open the blog" />
    </>
  );
  const empty = (
    <>
      There are no posts yet. <a href={`${path}/new`}>Write a post</a>, or run <code>npx imprint posts sync</code> in
      your project.
    </>
  );
  return renderPage(
    context,
    { title: blog.name, form, actions },
    <>
      {blog.postCount > 0 && <ListTools view={VIEW} query={query} />}
      <SortedList of={posts} query={query} noun="posts" path={path} empty={empty}>
        <BulkForm to={`${path}/bulk`} actions={BULK.actions} search={query.search} hasMore={posts.next !== undefined}>
          <PostTable posts={posts.items} path={path} now={context.var.records.now} isPickable={mayChange(context)} />
        </BulkForm>
      </SortedList>
      <Section id="details" title="Details">
        <FieldsForm to={path} fields={FIELDS} offers={offers} state={form} button="Save" />
      </Section>
    </>,
  );
}

interface PostTableProps {
  readonly posts: readonly PostSummary[];
  readonly path: string;
  readonly now: Date;
  readonly isPickable: boolean;
}

function PostTable({ posts, path, now, isPickable }: PostTableProps) {
  const pick: Column<PostSummary> = ["", ({ id, title }) => <Pick id={id} name={title} />];
  return (
    <Table
      rows={posts}
      caption="List of posts"
      headerColumn={isPickable ? 1 : 0}
      columns={[
        ...(isPickable ? [pick] : []),
        ["Post", ({ slug, title }) => <a href={`${path}/posts/${slug}`}>{title}</a>],
        [POST_TITLES.status, (post) => <PublishState of={post} now={now} />],
        [POST_TITLES.tags, ({ tags }) => tags.join(", ")],
        [POST_TITLES.author, ({ author }) => author],
        [POST_TITLES.publishedAt, ({ publishedAt }) => <Time at={publishedAt} />],
        [TITLES.updatedAt, ({ updatedAt }) => updatedAt],
      ]}
    />
  );
}
