import type { FormState } from "../../form-state.ts";
import { textOrNull } from "../../forms.ts";
import { ChoiceField, FormProblem, TextArea, TextField } from "../../parts/fields.tsx";
import { splitTags } from "../library/tags.ts";

/** How the text of a post is written. */
export type PostKind = "html" | "markdown";

/** The fields of a post, without its slug. */
export function PostFields({ state, kind }: { readonly state: FormState; readonly kind: PostKind }) {
  return (
    <>
      <FormProblem state={state} />
      <TextField state={state} name="title" label="Title" required />
      <TextArea
        state={state}
        name={kind}
        label={kind === "html" ? "Text, as HTML" : "Text, in Markdown"}
        kind="source"
        rows={18}
      />
      <TextArea
        state={state}
        name="excerpt"
        label="Excerpt"
        hint="Stands in the list of posts and in search results."
      />
      <div class="columns even">
        <div>
          <TextField state={state} name="author" label="Author" />
          <TextField state={state} name="tags" label="Tags" hint="With commas between them." />
        </div>
        <div>
          <TextField state={state} name="coverImage" label="Cover image" hint="The address of a picture." />
          <TextField
            state={state}
            name="canonicalUrl"
            label="Original address"
            hint="Where the post stood first, when that is elsewhere."
          />
        </div>
      </div>
      <ChoiceField
        state={state}
        name="status"
        label="State"
        options={[
          ["published", "Published"],
          ["draft", "Draft"],
        ]}
      />
    </>
  );
}

/** What the fields say, by the names of the API. */
export function readPostFields(values: FormState["values"], kind: PostKind) {
  return {
    title: values["title"] ?? "",
    [kind]: values[kind] ?? "",
    excerpt: textOrNull(values["excerpt"]),
    author: textOrNull(values["author"]),
    tags: splitTags(values["tags"] ?? ""),
    coverImage: textOrNull(values["coverImage"]),
    canonicalUrl: textOrNull(values["canonicalUrl"]),
    status: values["status"] === "draft" ? "draft" : "published",
  };
}
