import { titlesOf } from "../../../contract/fields.ts";
import { blogRecord, POST_STATUSES, postRecord } from "../../../contract/records.ts";
import { blogCreateBody } from "../../../contract/operations/blogs.ts";
import { blogUrl } from "../../resources/addresses.ts";
import { blogVersion, createBlog, getBlog } from "../../resources/blogs.ts";
import { patchPost, removePost } from "../../resources/posts.ts";
import { ProblemError } from "../../http/problem.ts";
import { type Blog, listBlogs } from "../../store/blogs.ts";
import { type PostSummary, listPosts } from "../../store/posts.ts";
import { paramOf, readSiteNames, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, valuesOf, versionOf, type Fields, type FormState, type FormValues } from "../forms.ts";
import { ButtonLink, FormLink } from "../parts/actions.tsx";
import { publishActions, registerBulk, tagAction } from "../parts/bulk.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import { ListPart, readListPage, statusFilter, type BulkList, type ListPage } from "../parts/list-page.tsx";
import { PublishState, Time, type Column } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { ForChange } from "../parts/rights.tsx";

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

/** Registers the list of blogs, and a blog with its posts. */
export function registerBlogPages(app: DashboardApp): void {
  registerBulk(app, "/blogs/:blog", POSTS);
  resourcePages(app, {
    section: "/blogs",
    route: "/blogs/:blog",
    find: findBlog,
    list: showBlogs,
    create: { route: "/blogs/new", render: showNewBlog, save: saveNewBlog },
    edit: {
      render: showBlog,
      values: (blog) => valuesOf(FIELDS, { ...blog, version: blogVersion(blog) }),
      async save(context, { slug }, values) {
        // Creating a blog with an existing slug updates that blog.
        const body = { ...parseFields(blogCreateBody, { fields: FIELDS, values }), slug };
        await write(context, (records) => createBlog(records, body, versionOf(values)));
        return `/blogs/${slug}?notice=saved`;
      },
    },
  });
}

const BLOGS: ListPage<Blog> = {
  noun: "blog",
  search: { label: "Find a blog", placeholder: "Name or slug" },
  filters: {},
  orders: ["created", "changed", "name"],
  read: ({ var: { records } }, wanted) => listBlogs(records.reader, records.accountId, wanted),
};

async function showBlogs(context: DashboardContext): Promise<Response> {
  const { addresses } = context.var.records;
  const blogs = await readListPage(context, BLOGS);
  const sites = await readSiteNames(context);
  return renderPage(
    context,
    { actions: <FormLink to="/blogs/new" label="New blog" /> },
    <ListPart
      of={blogs}
      empty={
        <>
          A blog lists posts, newest first. Publishing a site with posts creates one automatically.
          <ForChange to="/blogs">
            {" "}
            You can also <a href="/blogs/new">create one here</a>.
          </ForChange>
        </>
      }
      caption="List of blogs"
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

// Through the API, creating a blog again is a retry; in the form, a taken slug means that another blog was intended.
async function saveNewBlog(context: DashboardContext, values: FormValues): Promise<string> {
  const body = parseFields(blogCreateBody, { fields: NEW_FIELDS, values });
  const { slug } = await write(context, async (records) => {
    const { blog, outcome } = await createBlog(records, body);
    if (outcome === "created") return blog;
    const detail = `A blog “${blog.slug}” already exists.`;
    throw new ProblemError("slug_taken", { detail, errors: [{ pointer: "/body/slug", detail: "is taken" }] });
  });
  return `/blogs/${slug}?notice=blog-created`;
}

const findBlog = async (context: DashboardContext) => await getBlog(context.var.records, paramOf(context, "blog"));

const POSTS: BulkList<PostSummary> = {
  titleOf: async (context) => (await findBlog(context)).name,
  noun: "post",
  search: { label: "Find a post", placeholder: "Title or slug" },
  filters: { status: statusFilter(POST_TITLES.status), tag: { label: "Tag" } },
  orders: ["created", "changed", "title"],
  async read(context, { ids, text, filters, window }) {
    const { id } = await findBlog(context);
    const status = POST_STATUSES.find((each) => each === filters["status"]);
    const filter = { ids, text, status, tag: filters["tag"] };
    return await listPosts(context.var.records.reader, id, { filter, window });
  },
  nameOf: ({ title, slug }) => `${title} (${slug})`,
  actions: {
    ...publishActions("Readers won’t see them any more. Nothing is deleted.", (records, { blogId, slug }, status) =>
      patchPost(records, { blogName: blogId, slug, patch: { status }, preconditions: {} }),
    ),
    tag: tagAction((records, { blogId, slug }, tags) =>
      patchPost(records, { blogName: blogId, slug, patch: { tags }, preconditions: {} }),
    ),
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence:
        "Their texts are lost unless you have them elsewhere, such as in the files that they were published from.",
      run: (records, { blogId, slug, version }) =>
        removePost(records, { blogName: blogId, slug, preconditions: { ifMatch: [version] } }),
    },
  },
};

async function showBlog(context: DashboardContext, blog: Blog, form: FormState): Promise<Response> {
  const { addresses } = context.var.records;
  const path = `/blogs/${blog.slug}`;
  const posts = await readListPage(context, POSTS);
  const offers = { siteId: [["", "No site"] as const, ...(await readSiteNames(context))] };
  // An unsaved text of another post is offered there, but not opened.
  const newPost = `${path}/new?copy=`;
  const actions = (
    <>
      <FormLink to={newPost} label="Write a post" />
      <ButtonLink to={blogUrl(addresses, blog.slug)} variant="quiet" label="Open the blog" />
    </>
  );
  const empty = (
    <>
      There are no posts yet. <a href={newPost}>Write a post</a>, or run <code>npx imprint posts sync</code> in your
      project.
    </>
  );
  return renderPage(
    context,
    { title: blog.name, form, actions },
    <>
      <ListPart of={posts} empty={empty} caption="List of posts" columns={postColumns(path, context.var.records.now)} />
      <Section id="details" title="Details">
        <FieldsForm to={path} fields={FIELDS} offers={offers} state={form} button="Save" />
      </Section>
    </>,
  );
}

function postColumns(path: string, now: Date): readonly Column<PostSummary>[] {
  return [
    ["Post", ({ slug, title }) => <a href={`${path}/posts/${slug}`}>{title}</a>],
    [POST_TITLES.status, (post) => <PublishState of={post} now={now} />],
    [POST_TITLES.tags, ({ tags }) => tags.join(", ")],
    [POST_TITLES.author, ({ author }) => author],
    [POST_TITLES.publishedAt, ({ publishedAt }) => <Time at={publishedAt} />],
    [TITLES.updatedAt, ({ updatedAt }) => updatedAt],
  ];
}
