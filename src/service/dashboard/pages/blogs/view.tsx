import { blogUrl } from "../../../resources/addresses.ts";
import type { Blog } from "../../../store/blogs.ts";
import { listPosts, type PostSummary } from "../../../store/posts.ts";
import type { FormState } from "../../form-state.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import type { DashboardContext } from "../../scene.ts";
import { readSiteNames } from "../../site-names.ts";
import { PageState } from "../pages/state.tsx";
import { BlogFields } from "./fields.tsx";

const STATES = [
  ["", "All"],
  ["published", "Published"],
  ["draft", "Drafts"],
] as const;

/** A blog: its posts, and what it is called. */
export async function renderBlogView(context: DashboardContext, blog: Blog, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { database, addresses } = scene.records;
  const wanted = context.req.query("view");
  const status = wanted === "draft" || wanted === "published" ? wanted : undefined;
  const { items, next } = await listPosts(database, blog.id, { filter: { status }, window: windowOf(context) });
  const sites = await readSiteNames(scene.records);
  return renderShell(
    scene,
    {
      title: blog.name,
      section: "/blogs",
      parent: { title: "Blogs", path: "/blogs" },
      notice: state.status === 200 ? context.req.query("notice") : undefined,
      status: state.status,
      actions: (
        <>
          <a class="button" href={`/blogs/${blog.slug}/new`}>
            Write a post
          </a>
          <a class="button quiet" href={blogUrl(addresses, blog.slug)}>
            Open the blog
          </a>
        </>
      ),
    },
    <>
      {blog.postCount > 0 && (
        <p>
          <ViewSwitch views={STATES} view={status ?? ""} query={{}} />
        </p>
      )}
      <Posts blog={blog} posts={items} />
      <Older next={next} query={{ view: status }} />
      <section aria-labelledby="details">
        <h2 id="details">Details</h2>
        <form method="post" action={`/blogs/${blog.slug}`}>
          <BlogFields state={state} sites={sites} />
          <button type="submit">Save</button>
        </form>
      </section>
    </>,
  );
}

function Posts({ blog, posts }: { readonly blog: Blog; readonly posts: readonly PostSummary[] }) {
  if (posts.length === 0) {
    return (
      <Empty>
        <p>
          {blog.postCount === 0 ? "Nothing is posted here yet. " : "No post is in this state. "}
          <a href={`/blogs/${blog.slug}/new`}>Write a post</a>
        </p>
      </Empty>
    );
  }
  return (
    <Table caption="Posts, newest first" columns={["Post", "State", "Author", "Published", "Changed"]}>
      {posts.map((post) => (
        <tr>
          <th scope="row">
            <a href={`/blogs/${blog.slug}/posts/${post.slug}`}>{post.title}</a>
          </th>
          <td>
            <PageState page={post} />
          </td>
          <td>{post.author}</td>
          <td>
            <Time at={post.publishedAt} />
          </td>
          <td>
            <Time at={post.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
