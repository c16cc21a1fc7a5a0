// The list of brand kits: search, sorting and bulk deletion.
import { brandKitRecord } from "../../../contract/records.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { removeBrandKit } from "../../resources/brand-kits.ts";
import { type BrandKit, listBrandKits } from "../../store/brand-kits.ts";
import type { DashboardContext } from "../context.ts";
import type { Fields, FormState } from "../forms.ts";
import { FieldsForm } from "../parts/fields.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Pick } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";

const TITLES = titlesOf(brandKitRecord);
const CARDS = 60;

export const EXTRACT_FIELDS: Fields = {
  url: {
    label: "Website",
    kind: "url",
    required: true,
    hint: "Reading its pages and styles takes a few seconds. Its scripts don’t run.",
  },
  name: { label: TITLES.name, hint: "Leave empty to use the website’s own name." },
};

export const BRAND_KITS: BulkList<BrandKit> = {
  noun: "brand kit",
  search: { label: "Find a brand kit", placeholder: "Name or website" },
  filters: {},
  orders: ["created", "changed", "name"],
  read: ({ var: { records } }, wanted) => listBrandKits(records.reader, records.accountId, wanted),
  nameOf: ({ name }) => name,
  actions: {
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence: "Sites that use them will have no brand kit. Their logos stay in the library.",
      run: (records, { id }) => removeBrandKit(records, id, {}),
    },
  },
};

export async function showKits(context: DashboardContext, form: FormState): Promise<Response> {
  const kits = await readListPage(context, BRAND_KITS, { limit: CARDS });
  const empty = (
    <>
      A brand kit holds the colors, fonts and logos of a site. They style the pages that this service makes itself, such
      as the thank-you page of a form. Publishing a site with <code>npx imprint publish</code> creates its kit. You can
      also extract one from a website below.
    </>
  );
  return renderPage(
    context,
    { form },
    <>
      <ListPart of={kits} empty={empty}>
        <ul class="grid">
          {kits.items.map((kit) => (
            <KitCard kit={kit} isPickable={kits.bulk !== undefined} />
          ))}
        </ul>
      </ListPart>
      <h2>Extract from a website</h2>
      <FieldsForm to="/brand-kits" class="panel" fields={EXTRACT_FIELDS} state={form} button="Extract brand kit" />
    </>,
  );
}

function KitCard({ kit, isPickable }: { readonly kit: BrandKit; readonly isPickable: boolean }) {
  const families = [...new Set(kit.fonts.map(({ family }) => family))].join(", ");
  return (
    <li class="card">
      {isPickable && <Pick id={kit.id} name={kit.name} />}
      <Swatches colors={kit.colors} />
      <div class="text">
        <h2>
          <a href={`/brand-kits/${kit.id}`}>{kit.name}</a>
        </h2>
        <p class="soft">{families === "" ? "No fonts" : families}</p>
      </div>
    </li>
  );
}

const MAX_SWATCHES = 8;

/** The first colors of a kit side by side. */
function Swatches({ colors }: Pick<BrandKit, "colors">) {
  const shown = colors.slice(0, MAX_SWATCHES);
  if (shown.length === 0) return <div class="swatches none">No colors</div>;
  return (
    <svg class="swatches" viewBox={`0 0 ${shown.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map(({ hex }, index) => (
        <rect x={index} y="0" width="1.01" height="1" fill={hex} />
      ))}
    </svg>
  );
}
