import { EXPORT_FORMATS } from "../../../../brand/render/formats.ts";
import { getBrandKit } from "../../../resources/brand-kits.ts";
import type { BrandKit } from "../../../store/brand-kits.ts";
import { listSitesOfKit, type Site } from "../../../store/sites.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";

/** `/brand-kits/:kitId`: the sheet, who uses it, and its formats. */
export async function showKit(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const kit = await getBrandKit(scene.records, context.req.param("kitId") ?? "");
  const sites = await listSitesOfKit(database, accountId, kit.id);
  const path = `/brand-kits/${kit.id}`;
  return renderShell(
    scene,
    {
      title: kit.name,
      section: "/brand-kits",
      parent: { title: "Brand kits", path: "/brand-kits" },
      notice: context.req.query("notice"),
      actions: (
        <>
          <a class="button" href={`${path}/sheet`} target="_blank" rel="noopener">
            Open the sheet
          </a>
          <a class="button quiet" href={`${path}/rename`}>
            Rename
          </a>
          <DangerLink to={`${path}/delete`} label="Delete" />
        </>
      ),
    },
    <>
      <iframe
        class="sheet"
        src={`${path}/sheet`}
        title={`The sheet of ${kit.name}`}
        sandbox=""
        referrerpolicy="no-referrer"
      ></iframe>
      <KitFacts kit={kit} sites={sites} />
      <h2>Take it along</h2>
      <ul class="tabs">
        {Object.keys(EXPORT_FORMATS).map((format) => (
          <li>
            <a href={`${path}/export/${format}`} download>
              {FORMAT_NAMES.get(format) ?? format}
            </a>
          </li>
        ))}
      </ul>
    </>,
  );
}

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ["css", "CSS variables"],
  ["dtcg", "Design tokens"],
  ["tailwind", "Tailwind"],
  ["shadcn", "shadcn/ui"],
  ["json", "JSON"],
]);

function KitFacts({ kit, sites }: { readonly kit: BrandKit; readonly sites: readonly Site[] }) {
  return (
    <dl>
      <dt>Used by</dt>
      <dd>
        {sites.length === 0 && <span class="soft">no site</span>}
        {sites.map((site, index) => (
          <>
            {index > 0 && ", "}
            <a href={`/sites/${site.id}`}>{site.name}</a>
          </>
        ))}
      </dd>
      <dt>Taken from</dt>
      <dd>
        <Source address={kit.sourceUrl} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={kit.updatedAt} />
      </dd>
    </dl>
  );
}

// Whatever an address says, only a web page becomes a link.
function Source({ address }: { readonly address: string | null }) {
  if (address === null) return <span class="soft">made by hand</span>;
  if (!/^https?:\/\//i.test(address)) return <>{address}</>;
  return (
    <a href={address} rel="noopener noreferrer">
      {address}
    </a>
  );
}
