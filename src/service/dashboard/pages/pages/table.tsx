import type { Page } from "../../../store/pages.ts";
import { Table } from "../../parts/lists.tsx";
import { Bytes, Time } from "../../parts/values.tsx";
import { PageState } from "./state.tsx";

export interface PageTableProps {
  readonly pages: readonly Page[];
  /** Names by id; absent where all pages are of one site. */
  readonly sites?: ReadonlyMap<string, string>;
}

/** Pages in rows. */
export function PageTable({ pages, sites }: PageTableProps) {
  const columns = ["Page", "Slug", ...(sites === undefined ? [] : ["Site"]), "State", "Size", "Changed"];
  return (
    <Table caption="Pages, newest first" columns={columns}>
      {pages.map((page) => (
        <tr>
          <th scope="row">
            <a href={`/edit/${page.id}`}>{page.title}</a>
          </th>
          <td>
            <code>{page.slug}</code>
          </td>
          {sites !== undefined && <td>{page.siteId !== null && sites.get(page.siteId)}</td>}
          <td>
            <PageState page={page} />
          </td>
          <td>
            <Bytes count={page.bytes} />
          </td>
          <td>
            <Time at={page.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
