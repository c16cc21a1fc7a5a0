import { titlesOf } from "../../../contract/fields.ts";
import { pageRecord } from "../../../contract/records.ts";
import type { Page } from "../../store/pages.ts";
import { Table, type Column } from "../parts/lists.tsx";
import { Preview } from "../parts/previews.tsx";
import { Bytes, PublishState, Time } from "../parts/values.tsx";

const TITLES = titlesOf(pageRecord);

export interface PageTableProps {
  readonly pages: readonly Page[];
  /** Names by id; absent where all pages are of one site. */
  readonly sites?: ReadonlyMap<string, string>;
}

/** Pages in rows. */
export function PageTable({ pages, sites }: PageTableProps) {
  const site: Column<Page> = [TITLES.siteId, ({ siteId }) => sites?.get(siteId ?? "")];
  return (
    <Table
      caption="Pages, newest first"
      rows={pages}
      columns={[
        ["Page", ({ id, title }) => <a href={`/edit/${id}`}>{title}</a>],
        [TITLES.slug, ({ slug }) => <code>{slug}</code>],
        ...(sites === undefined ? [] : [site]),
        [TITLES.status, (page) => <PublishState of={page} />],
        [TITLES.bytes, ({ bytes }) => <Bytes count={bytes} />],
        [TITLES.updatedAt, ({ updatedAt }) => updatedAt],
      ]}
    />
  );
}

export interface PageCardsProps {
  readonly pages: readonly Page[];
  /** Of the titles. Default: `h2`, below the title of a page. */
  readonly level?: "h2" | "h3";
}

/** Pages as they look. */
export function PageCards({ pages, level: Heading = "h2" }: PageCardsProps) {
  return (
    <ul class="grid previews">
      {pages.map((page) => (
        <li class="card">
          <Preview pageId={page.id} title={page.title} />
          <div class="text">
            <Heading>
              <a href={`/edit/${page.id}`}>{page.title}</a>
            </Heading>
            <p class="soft">
              <PublishState of={page} /> <Time at={page.updatedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
