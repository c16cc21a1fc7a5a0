import { ShareBar } from "../../parts/shares.tsx";
import { Table } from "../../parts/lists.tsx";
import { Count } from "../../parts/values.tsx";

export interface ElementTableProps {
  readonly elements: readonly { readonly selector: string; readonly count: number }[];
  /** What a person calls them, by selector. */
  readonly names: ReadonlyMap<string, string>;
}

/** The elements that were clicked, which is also the heat map in words. */
export function ElementTable({ elements, names }: ElementTableProps) {
  const top = Math.max(1, ...elements.map(({ count }) => count));
  if (elements.length === 0) return <p class="soft">Nothing was clicked.</p>;
  return (
    <Table caption="Clicked elements, the most frequent first" columns={["Element", "Clicks"]}>
      {elements.map(({ selector, count }) => (
        <tr>
          <th scope="row" class="words">
            {names.get(selector)}
            <p class="note">
              <code>{selector}</code>
            </p>
          </th>
          <td>
            <Count value={count} />
            <ShareBar share={count / top} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
