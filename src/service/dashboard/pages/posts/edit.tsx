import { postPatchBody } from "../../../../contract/requests.ts";
import { getPost, patchPost, type BlogPost } from "../../../resources/posts.ts";
import type { Post } from "../../../store/posts.ts";
import { freshForm, overtakenForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm, versionOf } from "../../forms.ts";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { PostFields, readPostFields } from "./fields.tsx";
import { postPath } from "./paths.ts";
import { namesOf } from "./view.tsx";

/** The form in which a post is changed. Who saves over the change of somebody else sees both first. */
export function registerPostEditing(app: DashboardApp): void {
  app.get("/blogs/:blog/posts/:slug/edit", async (context) => {
    const { scene } = context.var;
    const shown = await getPost(scene.records, namesOf(context));
    return renderForm(scene, { shown, state: freshForm(valuesOf(shown.post)) });
  });

  app.post("/blogs/:blog/posts/:slug", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    return await attempt({
      values,
      async accept() {
        const patch = parseInput(postPatchBody, readPostFields(values));
        const change = { ...namesOf(context), patch, preconditions: versionOf(values) };
        const changed = await write(scene, (records) => patchPost(records, change));
        return context.redirect(`${postPath(changed)}?notice=saved`, 303);
      },
      async again(state, problem) {
        const shown = await getPost(scene.records, namesOf(context));
        if (problem.code !== "version_mismatch") return renderForm(scene, { shown, state });
        return renderForm(scene, { shown, state: overtakenForm(state, shortValuesOf(shown.post)), other: shown.post });
      },
    });
  });
}

interface EditedPost {
  readonly shown: BlogPost;
  readonly state: FormState;
  /** What somebody else has saved meanwhile. */
  readonly other?: Post;
}

function renderForm(scene: Scene, { shown, state, other }: EditedPost): Response {
  const { post } = shown;
  return renderShell(
    scene,
    {
      title: `Edit “${post.title}”`,
      section: "/blogs",
      parent: { title: post.title, path: postPath(shown) },
      status: state.status,
    },
    <>
      <form method="post" action={postPath(shown)}>
        <PostFields state={state} />
        <input type="hidden" name="version" value={state.values["version"] ?? String(post.version)} />
        <button type="submit">{other === undefined ? "Save" : "Save and replace the other version"}</button>
      </form>
      {other !== undefined && <OtherVersion post={other} />}
    </>,
  );
}

function OtherVersion({ post }: { readonly post: Post }) {
  return (
    <section aria-labelledby="other">
      <h2 id="other">The text that was saved meanwhile</h2>
      <p>
        Version {post.version}, saved <Time at={post.updatedAt} />. Copy from here what should stay.
      </p>
      <pre tabindex={0} role="region" aria-labelledby="other">
        {post.html ?? post.markdown}
      </pre>
    </section>
  );
}

function valuesOf(post: Post): FormState["values"] {
  return {
    title: post.title,
    text: post.html ?? post.markdown,
    kind: post.html === null ? "markdown" : "html",
    excerpt: post.excerpt ?? "",
    author: post.author ?? "",
    tags: post.tags.join(", "),
    coverImage: post.coverImage ?? "",
    canonicalUrl: post.canonicalUrl ?? "",
    status: post.status,
    version: String(post.version),
  };
}

// The text is too long to stand beside its field; it is shown below the form.
function shortValuesOf(post: Post): FormState["values"] {
  const { text: _text, ...values } = valuesOf(post);
  return values;
}
