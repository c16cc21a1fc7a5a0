import { getPageById, getPageHtml, removePage, setPageStatus } from "../../resources/pages.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { listPages } from "../../store/pages.ts";
import type { Page } from "../../store/pages.ts";
import { Action } from "../parts/forms.tsx";
import { Empty, Older, Table, windowOf } from "../parts/lists.tsx";
import { Preview } from "../parts/preview.tsx";
import { renderShell } from "../parts/shell.tsx";
import { Badge, Bytes, Time } from "../parts/values.tsx";
import { write } from "../scene.ts";
import type { DashboardApp, DashboardContext } from "../scene.ts";

/** Published pages: the list, one page with its preview, and what can be done with it. */
export function registerPagePages(app: DashboardApp): void {
  app.get("/pages", showPages);
  app.get("/edit/:pageId", showPage);
  app.get("/pages/:pageId/preview", previewPage);
  app.post("/pages/:pageId/status", async (context) => {
    const { scene } = context.var;
    const { status } = await context.req.parseBody();
    const page = await getPageById(scene.records, context.req.param("pageId"));
    const next = status === "published" ? "published" : "draft";
    await write(scene, (records) => setPageStatus(records, page.slug, next));
    return context.redirect(`/edit/${page.id}?notice=page-${next === "published" ? "published" : "unpublished"}`, 303);
  });
  app.post("/pages/:pageId/delete", async (context) => {
    const { scene } = context.var;
    const page = await getPageById(scene.records, context.req.param("pageId"));
    await write(scene, (records) => removePage(records, page.slug, {}));
    return context.redirect("/pages?notice=page-deleted", 303);
  });
}

async function showPages(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const text = context.req.query("q");
  const { items, next } = await listPages(database, accountId, {
    filter: { text: text === "" ? undefined : text },
    window: windowOf(context),
  });
  const page = { title: "Pages", section: "/pages", notice: context.req.query("notice") };
  return renderShell(
    scene,
    page,
    <>
      <form class="search" role="search" method="get">
        <label for="q">Find a page</label>
        <input id="q" type="search" name="q" value={text ?? ""} placeholder="Title or slug" />
        <button type="submit">Find</button>
      </form>
      {items.length === 0 ? (
        <Empty>
          <p>
            {text === undefined ? "Nothing is published yet. Run imprint publish after astro build." : "No page fits."}
          </p>
        </Empty>
      ) : (
        <Table caption="Pages, newest first" columns={["Page", "Slug", "State", "Size", "Changed"]}>
          {items.map((item) => (
            <PageRow page={item} />
          ))}
        </Table>
      )}
      <Older next={next} query={{ q: text }} />
    </>,
  );
}

function PageRow({ page }: { readonly page: Page }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/edit/${page.id}`}>{page.title}</a>
      </th>
      <td>
        <code>{page.slug}</code>
      </td>
      <td>
        <Badge mood={page.status === "published" ? "good" : "soft"}>{page.status}</Badge>
      </td>
      <td>
        <Bytes count={page.bytes} />
      </td>
      <td>
        <Time at={page.updatedAt} />
      </td>
    </tr>
  );
}

async function showPage(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const page = await getPageById(scene.records, context.req.param("pageId") ?? "");
  const head = {
    title: page.title,
    section: "/pages",
    parent: { title: "Pages", path: "/pages" },
    notice: context.req.query("notice"),
    actions: <PageActions page={page} url={publicPageUrl(scene.records.addresses, page.slug)} />,
  };
  return renderShell(
    scene,
    head,
    <>
      <Preview pageId={page.id} title={page.title} />
      <PageFacts page={page} />
    </>,
  );
}

function PageActions({ page, url }: { readonly page: Page; readonly url: string }) {
  const isPublished = page.status === "published";
  return (
    <>
      {isPublished && (
        <a class="button" href={url}>
          Open the page
        </a>
      )}
      <Action
        to={`/pages/${page.id}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published" }}
      />
      <Action
        to={`/pages/${page.id}/delete`}
        label="Delete"
        mood="danger"
        confirm={`Delete “${page.title}”? Its address will answer that it is gone.`}
      />
    </>
  );
}

function PageFacts({ page }: { readonly page: Page }) {
  return (
    <dl>
      <dt>Slug</dt>
      <dd>
        <code>{page.slug}</code>
      </dd>
      <dt>State</dt>
      <dd>
        <Badge mood={page.status === "published" ? "good" : "soft"}>{page.status}</Badge>
      </dd>
      <dt>Version</dt>
      <dd>{page.version}</dd>
      <dt>Size</dt>
      <dd>
        <Bytes count={page.bytes} />
      </dd>
      <dt>Published</dt>
      <dd>
        <Time at={page.publishedAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={page.updatedAt} />
      </dd>
    </dl>
  );
}

// The page's own HTML on the dashboard's host: the sandbox gives it an origin of its own, so it has no session.
async function previewPage(context: DashboardContext): Promise<Response> {
  const { records } = context.var.scene;
  const page = await getPageById(records, context.req.param("pageId") ?? "");
  const html = await getPageHtml(records, page);
  const base = `<base href="${publicPageUrl(records.addresses, page.slug)}">`;
  return new Response(Buffer.concat([Buffer.from(`<!doctype html>${base}`), html]), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
    },
  });
}
