import type { FormState } from "../../form-state.ts";
import { textOrNull } from "../../forms.ts";
import { ChoiceField, FormProblem, TextArea, TextField } from "../../parts/fields.tsx";
import { splitTags } from "../library/tags.ts";

/** The fields of a post, without its slug. */
export function PostFields({ state }: { readonly state: FormState }) {
  return (
    <>
      <FormProblem state={state} />
      <TextField state={state} name="title" label="Title" required />
      <TextArea state={state} name="text" label="Text" kind="source" rows={18} />
      <ChoiceField
        state={state}
        name="kind"
        label="Written in"
        options={[
          ["markdown", "Markdown"],
          ["html", "HTML"],
        ]}
        hint="Markdown is rendered like on GitHub, with tables, task lists and footnotes. Scripts, styles and frames are removed from it. HTML is published as it is."
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
export function readPostFields(values: FormState["values"]) {
  return {
    title: values["title"] ?? "",
    [values["kind"] === "html" ? "html" : "markdown"]: values["text"] ?? "",
    excerpt: textOrNull(values["excerpt"]),
    author: textOrNull(values["author"]),
    tags: splitTags(values["tags"] ?? ""),
    coverImage: textOrNull(values["coverImage"]),
    canonicalUrl: textOrNull(values["canonicalUrl"]),
    status: values["status"] === "draft" ? "draft" : "published",
  };
}
