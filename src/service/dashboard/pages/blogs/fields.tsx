import { blogCreateBody, type BlogCreateBody } from "../../../../contract/requests.ts";
import type { FormState } from "../../form-state.ts";
import { parseInput, textOrNull } from "../../forms.ts";
import { ChoiceField, FormProblem, TextArea, TextField } from "../../parts/fields.tsx";
import { siteChoices } from "../../site-names.ts";

export interface BlogFieldsProps {
  readonly state: FormState;
  readonly sites: ReadonlyMap<string, string>;
}

/** The fields in which a blog is described. */
export function BlogFields({ state, sites }: BlogFieldsProps) {
  return (
    <>
      <FormProblem state={state} />
      <TextField state={state} name="name" label="Name" required />
      <TextArea state={state} name="description" label="Description" hint="Stands above the posts." />
      <ChoiceField
        state={state}
        name="siteId"
        label="Site"
        options={siteChoices(sites, "No site")}
        hint="The blog takes on the site’s name, logo and colors."
      />
    </>
  );
}

/** What the fields say, checked; throws `invalid_body`. */
export function parseBlogFields(values: FormState["values"], slug: string | undefined): BlogCreateBody {
  return parseInput(blogCreateBody, {
    name: values["name"] ?? "",
    slug,
    description: textOrNull(values["description"]),
    siteId: textOrNull(values["siteId"]),
  });
}
