import { siteCreateBody, type SiteCreateBody } from "../../../../contract/requests.ts";
import type { Context } from "../../../resources/context.ts";
import { listBrandKits } from "../../../store/brand-kits.ts";
import { listPages } from "../../../store/pages.ts";
import type { FormState } from "../../form-state.ts";
import { parseInput, textOrNull } from "../../forms.ts";
import { ChoiceField, FormProblem, TextField } from "../../parts/fields.tsx";

/** What the fields of a site offer to choose from. */
export interface SiteOffers {
  readonly brandKits: readonly (readonly [value: string, text: string])[];
  /** Slugs of pages that may be the home page. */
  readonly slugs: readonly string[];
}

const OFFERS = { after: undefined, limit: 100, visibleUntil: Infinity };

/** Reads the offers; pages are those of one site, or the newest of all. */
export async function readSiteOffers({ database, accountId }: Context, siteId?: string): Promise<SiteOffers> {
  const { items: kits } = await listBrandKits(database, accountId, OFFERS);
  const { items: pages } = await listPages(database, accountId, { filter: { siteId }, window: OFFERS });
  return {
    brandKits: [["", "None"], ...kits.map(({ id, name }) => [id, name] as const)],
    slugs: pages.map(({ slug }) => slug),
  };
}

/** The fields in which a site is made and changed. */
export function SiteFields({ state, offers }: { readonly state: FormState; readonly offers: SiteOffers }) {
  return (
    <>
      <FormProblem state={state} />
      <TextField state={state} name="name" label="Name" required />
      <TextField
        state={state}
        name="slug"
        label="Slug"
        hint="Under which tools know the site, such as “bakery”. Without one it is made of the name."
      />
      <TextField
        state={state}
        name="homeSlug"
        label="Home page"
        list={offers.slugs}
        hint="The slug of the page that the site’s own address leads to."
      />
      <ChoiceField
        state={state}
        name="brandKitId"
        label="Brand kit"
        options={offers.brandKits}
        hint="Gives its colors and fonts to what the service shows for the site, such as its blog."
      />
    </>
  );
}

/** What the fields say, checked; throws `invalid_body`. */
export function parseSiteFields(values: FormState["values"]): SiteCreateBody {
  return parseInput(siteCreateBody, {
    name: values["name"] ?? "",
    slug: textOrNull(values["slug"]) ?? undefined,
    homeSlug: textOrNull(values["homeSlug"]),
    brandKitId: textOrNull(values["brandKitId"]),
  });
}
