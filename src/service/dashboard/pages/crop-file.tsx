// Crops an image of the library. The image stays unchanged: the result is a new file.
import { includesScope } from "../../../contract/people.ts";
import { ProblemError } from "../../http/problem.ts";
import { found } from "../../resources/fields.ts";
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import { assetUrl } from "../../resources/addresses.ts";
import { addAsset, getAsset, inspectFile } from "../../resources/library.ts";
import { replaceAsset } from "../../resources/replace-asset.ts";
import { AREA, type Area } from "../../resources/thumbnails.ts";
import { listAssetUsers } from "../../store/asset-uses.ts";
import type { Asset } from "../../store/assets.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { attempt, freshForm, readForm, type FormState, type FormValues } from "../forms.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { countOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { onlyForChange } from "../parts/resource-pages.tsx";
import { fileTitle } from "../parts/titles.ts";

const ROUTE = "/library/:assetId/crop";
const CROPPED = new Set(["image/jpeg", "image/png", "image/webp", "image/avif"]);

/** Whether an image can be cropped: SVG has no pixels, and animations have several frames. */
export function canCrop({ contentType, width }: Asset): boolean {
  return CROPPED.has(contentType) && width !== null;
}

export function registerCrop(app: DashboardApp): void {
  app.get(ROUTE, onlyForChange, async (context) => {
    const asset = await findPicture(context);
    const { width, height, isAnimated } = await readShown(await context.var.records.blobs.read(asset.hash));
    if (isAnimated) throw new ProblemError("invalid_body", { detail: ANIMATION });
    const all = { left: "0", top: "0", width: String(width), height: String(height) };
    return await showCrop(context, asset, freshForm(all));
  });
  app.post(ROUTE, async (context) => {
    const { values } = await readForm(context);
    const asset = await findPicture(context);
    return await attempt(context, {
      values,
      accept: () => context.var.core.uploads.run(() => saveCrop(context, asset, values)),
      again: (form) => showCrop(context, asset, form),
    });
  });
}

async function findPicture(context: DashboardContext): Promise<Asset> {
  const asset = await getAsset(context.var.records, paramOf(context, "assetId"));
  return found(canCrop(asset) ? asset : undefined, "asset_not_found");
}

const ANIMATION = "This picture is an animation, of which a crop would keep only the first frame.";

/** Reads the size as displayed by browsers, which rotate photos by their metadata. */
async function readShown(picture: Uint8Array) {
  const { default: sharp } = await import("sharp");
  const { autoOrient, pages = 1 } = await sharp(picture).metadata();
  return { ...autoOrient, isAnimated: pages > 1 };
}

async function saveCrop(context: DashboardContext, asset: Asset, values: FormValues): Promise<string> {
  const { core, records, person } = context.var;
  const isForPosts = values["use"] === "posts";
  if (isForPosts && !includesScope(person.scopes, "blogs:write")) throw new ProblemError("insufficient_scope");
  const picture = await records.blobs.read(asset.hash);
  const size = await readShown(picture);
  if (size.isAnimated) throw new ProblemError("invalid_body", { detail: ANIMATION });
  const area = parseArea(values);
  if (area === undefined || area.left + area.width > size.width || area.top + area.height > size.height) {
    const detail = `Choose an area inside the picture, which has ${size.width} × ${size.height} pixels.`;
    throw new ProblemError("invalid_body", { detail });
  }
  const bytes = await core.thumbnails.crop({ bytes: picture, area });
  if (bytes === undefined) throw new ProblemError("invalid_body", { detail: "This picture can’t be cropped here." });
  const accepted = await inspectFile(records, { name: nameOfPart(asset, area), bytes }, "images");
  await records.blobs.write(accepted.hash, bytes);
  if (isForPosts) await readUnreadTexts(records);
  const { alt, tags } = asset;
  const { id } = await write(context, async (transaction) =>
    isForPosts
      ? await replaceAsset(transaction, asset, accepted)
      : (await addAsset(transaction, accepted, { alt: alt ?? undefined, tags: [...tags] })).asset,
  );
  return `/library/${id}?notice=${isForPosts ? "asset-replaced" : "asset-cropped"}`;
}

/** Names a part of `sea.jpg` `sea-300x200.jpg`. */
function nameOfPart(asset: Asset, { width, height }: Area): string {
  return fileTitle(asset).replace(/(?=\.\w+$)|(?<!\.\w+)$/, `-${width}x${height}`);
}

function parseArea(values: FormValues): Area | undefined {
  const [left = 0, top = 0, width = 0, height = 0] = AREA.map((name) => Number(values[name]));
  const areWhole = [left, top, width, height].every((pixels) => Number.isSafeInteger(pixels) && pixels >= 0);
  return areWhole && width > 0 && height > 0 ? { left, top, width, height } : undefined;
}

const SHAPES = [
  ["", "Any shape"],
  ["1", "Square"],
  ["1.3333", "4:3"],
  ["1.5", "3:2"],
  ["1.7778", "16:9"],
  ["1.9048", "1200 × 630, for link previews"],
] as const;

async function showCrop(context: DashboardContext, asset: Asset, form: FormState): Promise<Response> {
  const { database, addresses } = context.var.records;
  const { id } = asset;
  const name = fileTitle(asset);
  const posts = (await listAssetUsers(database, id)).filter(({ kind }) => kind === "post").length;
  const parent = { title: name, path: `/library/${id}` };
  return renderPage(
    context,
    { title: `Crop “${name}”`, parent, form },
    <form method="post" class="crop">
      <p>
        Drag over the picture, or type the numbers. The part becomes a file of its own with the same alternative text
        and tags; this file stays as it is.
      </p>
      <div class="crop-picture">
        <img src={assetUrl(addresses, asset)} alt={asset.alt ?? ""} />
        <div hidden></div>
      </div>
      <div class="crop-fields">
        {AREA.map((field) => (
          <div class="field">
            <label for={field}>{field.charAt(0).toUpperCase() + field.slice(1)}</label>
            <input id={field} name={field} type="number" min="0" step="1" required value={form.values[field]} />
          </div>
        ))}
        <div class="field" hidden>
          <label for="shape">Shape</label>
          <select id="shape">
            {SHAPES.map(([value, text]) => (
              <option value={value}>{text}</option>
            ))}
          </select>
        </div>
      </div>
      <p class="actions">
        <button type="submit">Save as a new file</button>
        {posts > 0 && (
          <button type="submit" class="quiet" name="use" value="posts">
            Save, and show it in {countOf(posts, "post")}
          </button>
        )}
        <ButtonLink to={parent.path} variant="quiet" label="Cancel" />
      </p>
    </form>,
  );
}
