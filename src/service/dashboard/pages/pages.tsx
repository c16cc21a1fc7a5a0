import { titlesOf } from "../../../contract/fields.ts";
import { PAGE_STATUSES, pageRecord } from "../../../contract/records.ts";
import { pagePatchBody } from "../../../contract/operations/content.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { makeBytesCurrent } from "../../resources/current-addresses.ts";
import { editPage, getPageById, getPageHtml, removePage } from "../../resources/pages.ts";
import { listPageAssets } from "../../store/assets.ts";
import { listEvents, type StoredEvent } from "../../store/webhooks.ts";
import { listPageForms, type Form } from "../../store/forms.ts";
import { type Page, listPages } from "../../store/pages.ts";
import { newest, paramOf, readSiteNames, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, readForm, valuesOf, versionOf, type Fields, type FormState } from "../forms.ts";
import { Action, ButtonLink } from "../parts/actions.tsx";
import { publishActions, registerBulk } from "../parts/bulk.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import { ListPart, PART_FILTER, partOf, readListPage, statusFilter, type BulkList } from "../parts/list-page.tsx";
import { Badge, Bytes, Facts, PublishState, Time, ViewSwitch } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { answerPreview, AssetGrid, PageCards, pageColumns, Preview, previewPathOf } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { formTitle } from "../parts/titles.ts";

const TITLES = titlesOf(pageRecord);
const CARDS = 12;
const EVENTS = 12;

const EDIT_BODY = pagePatchBody.omit({ status: true }).required({ title: true });

/** Registers published pages: the list, a page with its preview, and changes other than its HTML. */
export function registerPagePages(app: DashboardApp): void {
  resourcePages(app, {
    section: "/pages",
    route: "/pages/:pageId",
    find: findPage,
    list: showPages,
    edit: {
      route: "/edit/:pageId",
      to: "/pages/:pageId/edit",
      render: showPage,
      values: (page) => valuesOf(FIELDS, page),
      async save(context, { id, slug }, values) {
        const edit = parseFields(EDIT_BODY, { fields: FIELDS, values });
        await write(context, (records) => editPage(records, { slug, edit, preconditions: versionOf(values) }));
        return `/edit/${id}?notice=saved`;
      },
    },
    actions: {
      async status(context) {
        const { values } = await readForm(context);
        const { id, slug } = await findPage(context);
        const status = values["status"] === "published" ? "published" : "draft";
        await write(context, (records) => editPage(records, { slug, edit: { status }, preconditions: {} }));
        return `/edit/${id}?notice=page-${status === "published" ? "published" : "unpublished"}`;
      },
    },
    questions: {
      delete: {
        ask: (_, { id, title, slug }) => ({
          title: `Delete “${title}”?`,
          parent: { title, path: `/edit/${id}` },
          button: "Delete page",
          main: (
            <p>
              Visitors of <code>/p/{slug}</code> will see that the page is gone. Its analytics are deleted too; form
              submissions are kept. This can’t be undone: publishing the page again creates a new one.
            </p>
          ),
        }),
        async answer(context, { slug }) {
          await write(context, (records) => removePage(records, slug, {}));
          return "/pages?notice=page-deleted";
        },
      },
    },
  });
  app.get("/pages/:pageId/preview", showPreview);
  registerBulk(app, "/pages", LIST);
}

const FIELDS: Fields = {
  title: { label: TITLES.title, required: true, hint: "Shown in lists; the page’s HTML doesn’t change." },
  description: { label: TITLES.description, kind: "lines" },
  siteId: { label: TITLES.siteId, kind: "choice" },
};

async function findPage(context: DashboardContext): Promise<Page> {
  return await getPageById(context.var.records, paramOf(context, "pageId"));
}

/** Serves a page's own HTML for preview frames, on the dashboard's host but without access to it. */
async function showPreview(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const page = await findPage(context);
  const html = makeBytesCurrent(await getPageHtml(records, page), "html", records.addresses);
  return answerPreview(html, publicPageUrl(records.addresses, page.slug));
}

const LIST: BulkList<Page> = {
  noun: "page",
  search: { label: "Find a page", placeholder: "Title or slug" },
  filters: { status: statusFilter(TITLES.status), site: { label: TITLES.siteId, kind: "choice" }, part: PART_FILTER },
  orders: ["created", "changed", "title"],
  async read({ var: { records } }, wanted) {
    const { ids, text, filters, window } = wanted;
    const status = PAGE_STATUSES.find((each) => each === filters["status"]);
    const filter = { ids, text, status, siteId: filters["site"], part: partOf(wanted) };
    return await listPages(records.reader, records.accountId, { filter, window });
  },
  nameOf: ({ title, slug }) => `${title} (${slug})`,
  actions: {
    ...publishActions("Visitors will see that they are gone. Nothing is deleted.", (records, { slug }, status) =>
      editPage(records, { slug, edit: { status }, preconditions: {} }),
    ),
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence:
        "Visitors will see that they are gone. Their analytics are deleted, too; form submissions are kept. This can’t be undone.",
      run: (records, { slug, version }) => removePage(records, slug, { ifMatch: [version] }),
    },
  },
};

async function showPages(context: DashboardContext): Promise<Response> {
  const view = context.req.query("view") === "cards" ? "cards" : "";
  const asCards = view === "cards" ? { limit: CARDS, isPickable: false } : {};
  const pages = await readListPage(context, LIST, { kept: { view }, ...asCards });
  const sites = await readSiteNames(context);
  const areOnlyPreviews = pages.items.length === 0 && (await hasPreviews(context));
  const views = [
    ["", "List"],
    ["cards", "Thumbnails"],
  ] as const;
  return renderPage(
    context,
    { actions: <ViewSwitch views={views} view={view} query={pages.values} /> },
    <ListPart
      of={pages}
      offers={{ site: [["", "All sites"], ...sites] }}
      empty={areOnlyPreviews ? ONLY_PREVIEWS : NO_PAGES}
      caption="List of pages"
      columns={pageColumns(sites)}
    >
      {view === "cards" ? <PageCards pages={pages.items} /> : undefined}
    </ListPart>,
  );
}

async function hasPreviews({ var: { records } }: DashboardContext): Promise<boolean> {
  const previews = { filter: { part: "previews" }, window: { limit: 1 } } as const;
  return (await listPages(records.reader, records.accountId, previews)).items.length > 0;
}

const ONLY_PREVIEWS = (
  <>
    Only previews are published. <a href="/pages?part=previews">Show their pages</a>
  </>
);

const NO_PAGES = (
  <>
    Nothing is published yet. Run <code>npx imprint publish</code> in your project, or read{" "}
    <a href="/">how to publish your first page</a>.
  </>
);

/** Shows a page with everything that belongs to it; `form` is its edit form. */
async function showPage(context: DashboardContext, page: Page, form: FormState): Promise<Response> {
  const { database, accountId, addresses } = context.var.records;
  const url = publicPageUrl(addresses, page.slug);
  const sites = await readSiteNames(context);
  const assets = await listPageAssets(database, page.id);
  const forms = await listPageForms(database, { accountId, pageSlug: page.slug });
  const { items: events } = await listEvents(database, accountId, { subject: page.id, ...newest(EVENTS) });
  return renderPage(
    context,
    { title: page.title, form, actions: <PageActions page={page} url={url} /> },
    <>
      <div class="both-previews">
        <Preview path={previewPathOf(page)} title={page.title} />
        <Preview path={previewPathOf(page)} title={`${page.title} on a phone`} width={390} />
      </div>
      <div class="columns">
        <Section id="details" title="Details">
          <FieldsForm
            to={`/pages/${page.id}/edit`}
            fields={FIELDS}
            offers={{ siteId: [["", "No site"], ...sites] }}
            state={form}
            button="Save"
          />
        </Section>
        <Section id="facts" title="Status">
          <Facts
            rows={[
              [TITLES.status, <PublishState of={page} />],
              [TITLES.publicUrl, <code>{url}</code>],
              [TITLES.version, page.version],
              [TITLES.bytes, <Bytes count={page.bytes} />],
              [TITLES.publishedAt, <Time at={page.publishedAt} />],
              [TITLES.updatedAt, page.updatedAt],
            ]}
          />
        </Section>
      </div>
      {forms.length > 0 && <Forms forms={forms} />}
      {assets.length > 0 && (
        <Section id="assets" title="Library files">
          <AssetGrid assets={assets} pagesUrl={addresses.pagesUrl} />
        </Section>
      )}
      {events.length > 0 && <History events={events} />}
    </>,
  );
}

function PageActions({ page: { id, status }, url }: { readonly page: Page; readonly url: string }) {
  const isPublished = status === "published";
  return (
    <>
      {isPublished && <ButtonLink to={url} label="Open the page" />}
      <ButtonLink to={`/analytics/${id}`} variant="quiet" label="Visitors" />
      <Action
        to={`/pages/${id}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published" }}
      />
      <ButtonLink to={`/pages/${id}/delete`} variant="danger" label="Delete" />
    </>
  );
}

function Forms({ forms }: { readonly forms: readonly Form[] }) {
  return (
    <Section id="forms" title="Forms">
      <ul class="plain-list">
        {forms.map((form) => (
          <li>
            <a href={`/forms/${form.id}`}>{formTitle(form)}</a>{" "}
            <span class="soft">{form.fields.map(({ name }) => name).join(", ")}</span>{" "}
            {!form.open && <Badge variant="soft">closed</Badge>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Lists the page's events, newest first. */
function History({ events }: { readonly events: readonly StoredEvent[] }) {
  return (
    <Section id="history" title="History">
      <ul class="plain-list">
        {events.map((event) => (
          <li>
            <Time at={event.createdAt} /> {describeEvent(event)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function describeEvent({ type, data }: StoredEvent): string {
  const version = typeof data["version"] === "number" ? ` as version ${data["version"]}` : "";
  switch (type) {
    case "page.published":
      return `Published${version}`;
    case "page.updated":
      return `Updated${version}`;
    case "page.deleted":
      return data["reason"] === "unpublished" ? "Unpublished" : "Deleted";
    default:
      return type;
  }
}
