import { nameOfUser } from "../../../resources/asset-uses.ts";
import { assetUrl } from "../../../resources/addresses.ts";
import { listAssetUsers, type AssetUser } from "../../../store/asset-uses.ts";
import type { Asset } from "../../../store/assets.ts";
import type { FormState } from "../../form-state.ts";
import { AssetPicture } from "../../parts/assets.tsx";
import { DangerLink } from "../../parts/confirm.tsx";
import { FormProblem, TextArea, TextField } from "../../parts/fields.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Bytes, Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { PageState } from "../pages/state.tsx";

/** One file of the library. */
export async function renderAssetView(context: DashboardContext, asset: Asset, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { database, addresses } = scene.records;
  const users = await listAssetUsers(database, asset.id);
  const url = assetUrl(addresses, asset);
  return renderShell(
    scene,
    {
      title: asset.name,
      section: "/library",
      parent: { title: "Library", path: "/library" },
      notice: state.status === 200 ? context.req.query("notice") : undefined,
      status: state.status,
      actions: (
        <>
          <a class="button quiet" href={url}>
            Open the file
          </a>
          <DangerLink to={`/library/${asset.id}/delete`} label="Delete" />
        </>
      ),
    },
    <>
      <FormProblem state={state} />
      <div class="columns even">
        <div class="shown">
          <AssetPicture asset={asset} pagesUrl={addresses.pagesUrl} />
          <AssetFacts asset={asset} url={url} />
        </div>
        <form method="post" action={`/library/${asset.id}`}>
          <TextField state={state} name="name" label="Name" />
          <TextArea
            state={state}
            name="alt"
            label="What it shows"
            hint="For people who can’t see the picture. Pages carry their own texts, which stay."
          />
          <TextField state={state} name="tags" label="Tags" hint="Words to find it by, with commas between them." />
          <button type="submit">Save</button>
        </form>
      </div>
      <section aria-labelledby="users">
        <h2 id="users">Used by</h2>
        {users.length === 0 ? <p class="soft">Nothing.</p> : <AssetUsers users={users} />}
      </section>
    </>,
  );
}

/** What uses a file, each with a link to it. */
export function AssetUsers({ users }: { readonly users: readonly AssetUser[] }) {
  return (
    <ul class="plain-list">
      {users.map((user) => (
        <li>
          {KIND_LABELS[user.kind]} <a href={pathOf(user)}>{user.title}</a>
          {(user.kind === "page" || user.kind === "post") && (
            <>
              {" "}
              <code>{nameOfUser(user)}</code> <PageState page={user} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const KIND_LABELS: Readonly<Record<AssetUser["kind"], string>> = {
  page: "Page",
  post: "Post",
  blog: "Blog",
  "brand-kit": "Brand kit",
  file: "File",
};

function pathOf(user: AssetUser): string {
  switch (user.kind) {
    case "page":
      return `/edit/${user.id}`;
    case "post":
      return `/blogs/${user.blogSlug}/posts/${user.slug}`;
    case "blog":
      return `/blogs/${user.slug}`;
    case "brand-kit":
      return `/brand-kits/${user.id}`;
    case "file":
      return `/library/${user.id}`;
  }
}

function AssetFacts({ asset, url }: { readonly asset: Asset; readonly url: string }) {
  return (
    <dl>
      <dt>Type</dt>
      <dd>{asset.contentType}</dd>
      <dt>Size</dt>
      <dd>
        <Bytes count={asset.size} />
      </dd>
      {asset.width !== null && asset.height !== null && (
        <>
          <dt>Pixels</dt>
          <dd>
            {asset.width} × {asset.height}
          </dd>
        </>
      )}
      <dt>Address</dt>
      <dd>
        <code>{url}</code>
      </dd>
      <dt>Added</dt>
      <dd>
        <Time at={asset.createdAt} />
      </dd>
    </dl>
  );
}
