// Replaces a library file with another one.
import { includesScope } from "../../../contract/people.ts";
import { ProblemError } from "../../http/problem.ts";
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import { getAsset, inspectFile } from "../../resources/library.ts";
import { replaceAsset } from "../../resources/replace-asset.ts";
import { listAssetUsers, type AssetUser } from "../../store/asset-uses.ts";
import type { Asset } from "../../store/assets.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { attempt, freshForm, readForm, type FormState } from "../forms.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { Bytes } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { onlyForChange } from "../parts/resource-pages.tsx";
import { AssetUsers } from "./asset-users.tsx";
import { fileTitle } from "../parts/titles.ts";

const ROUTE = "/library/:assetId/replace";

export function registerReplacement(app: DashboardApp): void {
  app.get(ROUTE, onlyForChange, async (context) => askForFile(context, await findFile(context), freshForm()));
  app.post(ROUTE, async (context) => {
    const { core, records } = context.var;
    const former = await findFile(context);
    return await core.uploads.run(async () => {
      const limit = { maxBytes: 2 * records.limits.maxAssetBytes, code: "asset_too_large" } as const;
      const { files } = await readForm(context, limit);
      return await attempt(context, {
        values: {},
        accept: () => replaceBy(context, former, files[0]),
        again: (form) => askForFile(context, former, form),
      });
    });
  });
}

async function findFile(context: DashboardContext): Promise<Asset> {
  return await getAsset(context.var.records, paramOf(context, "assetId"));
}

async function replaceBy(context: DashboardContext, former: Asset, file: File | undefined): Promise<string> {
  const { records, person } = context.var;
  if (!includesScope(person.scopes, "blogs:write")) throw new ProblemError("insufficient_scope");
  if (file === undefined) throw new ProblemError("invalid_body", { detail: "Choose a file first." });
  const [sentName, bytes] = [fileTitle(file), new Uint8Array(await file.arrayBuffer())];
  const accepted = await inspectFile(records, { name: sentName, bytes }, "any");
  await records.blobs.write(accepted.hash, bytes);
  await readUnreadTexts(records);
  const { id, name } = await write(context, (transaction) => replaceAsset(transaction, former, accepted));
  const isRenamed = name === accepted.name && name !== sentName;
  return `/library/${id}?notice=asset-replaced${isRenamed ? ",asset-name-changed" : ""}`;
}

async function askForFile(context: DashboardContext, asset: Asset, form: FormState): Promise<Response> {
  const { id } = asset;
  const name = fileTitle(asset);
  const { database, limits } = context.var.records;
  const users = await listAssetUsers(database, id);
  const posts = users.filter(({ kind }) => kind === "post");
  const others = users.filter(({ kind }) => kind !== "post");
  const parent = { title: name, path: `/library/${id}` };
  return renderPage(
    context,
    { title: `Replace “${name}”`, parent, form },
    <form method="post" action={`${parent.path}/replace`} enctype="multipart/form-data">
      <p>
        The new file gets an address of its own, and the alternative text and tags of this one. If it is in the library
        already, it keeps its own alternative text. This file keeps its address and stays in the library.
      </p>
      <Users title="These posts will show the new file:" users={posts} />
      {posts.length > 0 && (
        <p class="hint">
          If a project publishes them, put the new file into the project, too: its next publish reports that they were
          changed here, and doesn’t send edits over that until <code>imprint posts ack</code>.
        </p>
      )}
      <Users title="These keep this file until they are published with the new one:" users={others} />
      <div class="field">
        <label for="file">New file</label>
        <input id="file" name="file" type="file" required aria-describedby="file-hint" />
        <p class="hint" id="file-hint">
          Up to <Bytes count={limits.maxAssetBytes} />.
        </p>
      </div>
      <p class="actions">
        <button type="submit">Replace file</button>
        <ButtonLink to={parent.path} variant="quiet" label="Cancel" />
      </p>
    </form>,
  );
}

function Users({ title, users }: { readonly title: string; readonly users: readonly AssetUser[] }) {
  if (users.length === 0) return <></>;
  return (
    <>
      <p>{title}</p>
      <AssetUsers users={users} />
    </>
  );
}
