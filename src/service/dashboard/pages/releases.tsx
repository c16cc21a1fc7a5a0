import { RELEASE_STATES, releaseRecord } from "../../../contract/extension-records.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { diffReleases, getRelease, rollBack } from "../../resources/releases.ts";
import { type Release, listReleases } from "../../store/releases.ts";
import { paramOf, readSiteNames, type DashboardApp, type DashboardContext } from "../context.ts";
import { FormLink } from "../parts/actions.tsx";
import { choiceFilter, ListPart, readListPage, type ListPage } from "../parts/list-page.tsx";
import { Badge, Bytes, Empty, Facts, Table, Time } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(releaseRecord);
const CHANGES = 50;

const LIST: ListPage<Release> = {
  noun: "release",
  search: { label: "Find a release", placeholder: "Who published it, preview or ID" },
  filters: {
    state: choiceFilter(TITLES.state, ["live", ...RELEASE_STATES]),
    site: { label: TITLES.siteId, kind: "choice" },
  },
  orders: ["created", "oldest"],
  async read({ var: { records } }, { filters: { state, site }, ...wanted }) {
    const filter = { siteId: site, live: state === "live", state: RELEASE_STATES.find((each) => each === state) };
    return await listReleases(records.reader, records.accountId, { ...wanted, filter });
  },
};

/** Registers releases: who published what and when, and rollback. */
export function registerReleasePages(app: DashboardApp): void {
  resourcePages(app, {
    section: "/releases",
    route: "/releases/:releaseId",
    find: (context) => getRelease(context.var.records, paramOf(context, "releaseId")),
    list: showReleases,
    show: showRelease,
    questions: {
      rollback: {
        ask: (_, { id }) => ({
          title: "Roll back to this release?",
          parent: { title: "Release", path: `/releases/${id}` },
          button: "Roll back",
          main: (
            <p>
              Visitors see the pages of this release again, all at once. Pages that changed outside a release are kept,
              and the current release stays in the list.
            </p>
          ),
        }),
        async answer(context, { id }) {
          const release = await rollBack(context.var.records, { id, force: false, author: "Dashboard" });
          return `/releases/${release.id}?notice=rolled-back`;
        },
      },
    },
  });
}

async function showReleases(context: DashboardContext): Promise<Response> {
  const releases = await readListPage(context, LIST);
  const sites = await readSiteNames(context);
  const empty = (
    <>
      A release publishes a whole site at once. There are none yet: run <code>npx imprint publish</code> in your
      project.
    </>
  );
  return renderPage(
    context,
    {},
    <ListPart
      of={releases}
      offers={{ site: [["", "All sites"], ...sites] }}
      empty={empty}
      caption="Releases"
      columns={[
        [
          TITLES.createdAt,
          ({ id, createdAt }) => (
            <a href={`/releases/${id}`}>
              <Time at={createdAt} />
            </a>
          ),
        ],
        [TITLES.state, (release) => <ReleaseState of={release} />],
        [TITLES.siteId, ({ siteId, preview }) => preview ?? (siteId === null ? null : sites.get(siteId))],
        [TITLES.author, ({ author }) => author],
        [TITLES.pages, ({ pages }) => pages],
        [TITLES.removes, ({ removes }) => removes],
      ]}
    />,
  );
}

function ReleaseState({ of: { live, state } }: { readonly of: Release }) {
  if (live) return <Badge variant="good">live</Badge>;
  return <Badge variant={state === "published" ? "plain" : "soft"}>{state}</Badge>;
}

async function showRelease(context: DashboardContext, release: Release): Promise<Response> {
  const { records } = context.var;
  const { id, live, state, rollbackOf, kept } = release;
  const after = context.req.query("cursor");
  const { data, nextCursor } = await diffReleases(records, { id, against: undefined, after, limit: CHANGES });
  return renderPage(
    context,
    { title: "Release" },
    <>
      <Facts
        rows={[
          [TITLES.state, <ReleaseState of={release} />],
          [TITLES.author, release.author],
          [TITLES.publishedAt, release.publishedAt && <Time at={release.publishedAt} />],
          [TITLES.rollbackOf, rollbackOf && <a href={`/releases/${rollbackOf}`}>{rollbackOf}</a>],
          [TITLES.kept, kept.length > 0 && kept.join(", ")],
          [TITLES.id, <code>{id}</code>],
        ]}
      />
      {state === "published" && !live && <FormLink to={`/releases/${id}/rollback`} label="Roll back to this release" />}
      <Section id="changes" title="Changes">
        {data.length === 0 ? (
          <Empty>This release doesn’t change any pages.</Empty>
        ) : (
          <Table
            caption="Changed pages"
            rows={data}
            columns={[
              ["Page", ({ slug }) => slug],
              ["Change", ({ change }) => change],
              ["Title", ({ title }) => title],
              ["Size", ({ change, bytes }) => change !== "removed" && <Bytes count={bytes} />],
            ]}
          />
        )}
        {nextCursor !== null && (
          <p>
            <a href={`/releases/${id}?cursor=${nextCursor}`}>More changes</a>
          </p>
        )}
      </Section>
    </>,
  );
}
