import { assetUrl } from "../../resources/addresses.ts";
import type { Asset } from "../../store/assets.ts";
import { Bytes } from "./values.tsx";

export interface AssetGridProps {
  readonly assets: readonly Asset[];
  readonly pagesUrl: string;
}

/** Files of the library with what they look like; each leads to its own page. */
export function AssetGrid({ assets, pagesUrl }: AssetGridProps) {
  return (
    <ul class="grid assets">
      {assets.map((asset) => (
        <li class="card">
          <AssetPicture asset={asset} pagesUrl={pagesUrl} />
          <div class="text">
            <p class="name">
              <a href={`/library/${asset.id}`}>{asset.name}</a>
            </p>
            <p class="soft">
              <Bytes count={asset.size} />
              {asset.width !== null && asset.height !== null && (
                <>
                  {" · "}
                  <span class="number">
                    {asset.width} × {asset.height}
                  </span>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** An image as it is, or the kind of a file that is none. Its name stands beside it, so the picture itself is silent. */
export function AssetPicture({ asset, pagesUrl }: { readonly asset: Asset; readonly pagesUrl: string }) {
  return (
    <div class="picture">
      {asset.contentType.startsWith("image/") ? (
        <img src={assetUrl({ appUrl: "", pagesUrl }, asset)} alt="" loading="lazy" decoding="async" />
      ) : (
        <span class="kind">{kindOf(asset)}</span>
      )}
    </div>
  );
}

function kindOf({ name, contentType }: Asset): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return (ending ?? contentType.split("/")[1] ?? "file").toLowerCase();
}
