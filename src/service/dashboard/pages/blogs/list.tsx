import { blogUrl } from "../../../resources/addresses.ts";
import { listBlogs } from "../../../store/blogs.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Count, Time } from "../../parts/values.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";
import { readSiteNames } from "../../site-names.ts";

export function registerBlogList(app: DashboardApp): void {
  app.get("/blogs", showBlogs);
}

async function showBlogs(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId, addresses } = scene.records;
  const { items, next } = await listBlogs(database, accountId, windowOf(context));
  const sites = await readSiteNames(scene.records);
  const actions = (
    <a class="button" href="/blogs/new">
      New blog
    </a>
  );
  return renderShell(
    scene,
    { title: "Blogs", section: "/blogs", notice: context.req.query("notice"), actions },
    <>
      {items.length === 0 ? (
        <Empty>
          <p>
            A blog lists posts, newest first. Publishing a site with posts makes one by itself;{" "}
            <a href="/blogs/new">or make one here</a>.
          </p>
        </Empty>
      ) : (
        <Table caption="Blogs, newest first" columns={["Blog", "Site", "Posts", "Address", "Changed"]}>
          {items.map((blog) => (
            <tr>
              <th scope="row">
                <a href={`/blogs/${blog.slug}`}>{blog.name}</a>
              </th>
              <td>{blog.siteId !== null && sites.get(blog.siteId)}</td>
              <td>
                <Count value={blog.postCount} />
              </td>
              <td>
                <a href={blogUrl(addresses, blog.slug)}>/blog/{blog.slug}</a>
              </td>
              <td>
                <Time at={blog.updatedAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Older next={next} />
    </>,
  );
}
