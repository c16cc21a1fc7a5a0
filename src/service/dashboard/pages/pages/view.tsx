import { publicPageUrl } from "../../../resources/addresses.ts";
import { listPageAssets } from "../../../store/assets.ts";
import { listEvents } from "../../../store/events.ts";
import { listPageForms } from "../../../store/forms.ts";
import type { Page } from "../../../store/pages.ts";
import type { FormState } from "../../form-state.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { ChoiceField, FormProblem, TextArea, TextField } from "../../parts/fields.tsx";
import { Action } from "../../parts/forms.tsx";
import { Preview } from "../../parts/preview.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Bytes, Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { readSiteNames, siteChoices } from "../../site-names.ts";
import { PageConnections } from "./connections.tsx";
import { PageState } from "./state.tsx";

const EVENTS = 12;

/** One page with all that belongs to it; `state` is the form in which it is changed. */
export async function renderPageView(context: DashboardContext, page: Page, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId, addresses } = scene.records;
  const url = publicPageUrl(addresses, page.slug);
  const sites = await readSiteNames(scene.records);
  const assets = await listPageAssets(database, page.id);
  const forms = await listPageForms(database, { accountId, pageSlug: page.slug });
  const window = { after: undefined, limit: EVENTS, visibleUntil: Infinity };
  const { items: events } = await listEvents(database, accountId, { subject: page.id, window });
  return renderShell(
    scene,
    {
      title: page.title,
      section: "/pages",
      parent: { title: "Pages", path: "/pages" },
      notice: state.status === 200 ? context.req.query("notice") : undefined,
      actions: <PageActions page={page} url={url} />,
      status: state.status,
    },
    <>
      <FormProblem state={state} />
      <div class="both-previews">
        <Preview pageId={page.id} title={page.title} />
        <Preview pageId={page.id} title={`${page.title} on a phone`} width={390} />
      </div>
      <div class="columns">
        <PageForm page={page} state={state} sites={sites} />
        <PageFacts page={page} url={url} />
      </div>
      <PageConnections assets={assets} forms={forms} events={events} pagesUrl={addresses.pagesUrl} />
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
      <a class="button quiet" href={`/analytics/${page.id}`}>
        Visitors
      </a>
      <Action
        to={`/pages/${page.id}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published" }}
      />
      <DangerLink to={`/pages/${page.id}/delete`} label="Delete" />
    </>
  );
}

interface PageFormProps {
  readonly page: Page;
  readonly state: FormState;
  readonly sites: ReadonlyMap<string, string>;
}

function PageForm({ page, state, sites }: PageFormProps) {
  return (
    <section aria-labelledby="details">
      <h2 id="details">Details</h2>
      <form method="post" action={`/pages/${page.id}/edit`}>
        <TextField state={state} name="title" label="Title" hint="How lists name the page; its HTML stays as it is." />
        <TextArea state={state} name="description" label="Description" />
        <ChoiceField state={state} name="siteId" label="Site" options={siteChoices(sites, "No site")} />
        <input type="hidden" name="version" value={state.values["version"] ?? String(page.version)} />
        <button type="submit">Save</button>
      </form>
    </section>
  );
}

function PageFacts({ page, url }: { readonly page: Page; readonly url: string }) {
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">As it stands</h2>
      <dl>
        <dt>State</dt>
        <dd>
          <PageState page={page} />
        </dd>
        <dt>Address</dt>
        <dd>
          <code>{url}</code>
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
    </section>
  );
}
