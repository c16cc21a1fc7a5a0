import { titlesOf } from "../../../contract/fields.ts";
import { brandKitRecord } from "../../../contract/records.ts";
import { EXPORT_FORMATS, renderKit, type ExportFormat } from "../../../brand/render/formats.ts";
import type { SheetFile } from "../../../brand/render/sheet-input.ts";
import { brandKitBody, brandKitExtractBody, type BrandKitBody } from "../../../contract/operations/content.ts";
import { libraryPath } from "../../resources/addresses.ts";
import { findAssetIds } from "../../resources/asset-uses.ts";
import { getBrandKit, removeBrandKit, replaceBrandKit } from "../../resources/brand-kits.ts";
import type { Context } from "../../resources/context.ts";
import { extractBrandKit, saveExtracted, storeLogos } from "../../resources/extract-brand-kit.ts";
import { ProblemError } from "../../http/problem.ts";
import { findRow } from "../../store/rows.ts";
import type { BrandKit } from "../../store/brand-kits.ts";
import { listSitesOfKit, type Site } from "../../store/sites.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, parseInput, valuesOf, versionOf, type Fields, type FormState } from "../forms.ts";
import { ButtonLink, FormLink, fileResponse, type Question } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import { Facts } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { FRAMED } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { BRAND_KITS, EXTRACT_FIELDS, showKits } from "./brand-kit-list.tsx";

const TITLES = titlesOf(brandKitRecord);

const RENAME_FIELDS: Fields = { name: { label: TITLES.name, required: true } };

/** Registers the brand kits: colors, fonts and logos to view and export. */
export function registerBrandKitPages(app: DashboardApp): void {
  registerBulk(app, "/brand-kits", BRAND_KITS);
  resourcePages(app, {
    section: "/brand-kits",
    route: "/brand-kits/:kitId",
    find: findKit,
    list: showKits,
    create: {
      render: showKits,
      async save(context, values) {
        const body = parseFields(brandKitExtractBody, { fields: EXTRACT_FIELDS, values });
        const { core, records } = context.var;
        const { id } = await core.imports.run(async () => {
          const extracted = await extractBrandKit(records, body);
          const logos = await storeLogos(records, extracted);
          return await write(context, (transaction) => saveExtracted(transaction, extracted, logos));
        });
        return `/brand-kits/${id}?notice=kit-extracted`;
      },
    },
    show: showKit,
    edit: {
      route: "/brand-kits/:kitId/rename",
      to: "/brand-kits/:kitId/rename",
      render: showRename,
      values: (kit) => valuesOf(RENAME_FIELDS, kit),
      async save(context, kit, values) {
        const body = parseInput(brandKitBody, { ...bodyOf(kit), name: values["name"] });
        const change = { id: kit.id, body, preconditions: versionOf(values) };
        await write(context, (records) => replaceBrandKit(records, change));
        return `/brand-kits/${kit.id}?notice=saved`;
      },
    },
    questions: {
      delete: {
        ask: askToDelete,
        async answer(context) {
          await write(context, (records) => removeBrandKit(records, paramOf(context, "kitId"), {}));
          return "/brand-kits?notice=kit-deleted";
        },
      },
    },
  });
  app.get("/brand-kits/:kitId/sheet", showSheet);
  app.get("/brand-kits/:kitId/export/:format", exportKit);
}

async function findKit(context: DashboardContext): Promise<BrandKit> {
  return await getBrandKit(context.var.records, paramOf(context, "kitId"));
}

/** Returns a kit in the format of the API and of the renderers. */
function bodyOf({ name, colors, fonts, logos, sourceUrl, design, frame }: BrandKit): BrandKitBody {
  return { name, colors: [...colors], fonts: [...fonts], logos: [...logos], sourceUrl, design, frame } as BrandKitBody;
}

const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  css: "CSS variables",
  dtcg: "Design tokens",
  tailwind: "Tailwind",
  shadcn: "shadcn/ui",
  "dtcg-resolver": "Design tokens, resolver",
  "style-dictionary": "Style Dictionary",
  "brand-yml": "brand.yml",
  json: "JSON",
};

/** Shows a kit: its sheet, its sites and its export formats. */
async function showKit(context: DashboardContext, kit: BrandKit): Promise<Response> {
  const { database, accountId } = context.var.records;
  const sites = await listSitesOfKit(database, accountId, kit.id);
  const path = `/brand-kits/${kit.id}`;
  const actions = (
    <>
      <a class="button" href={`${path}/sheet`} target="_blank" rel="noopener">
        Open the sheet
      </a>
      <FormLink to={`${path}/rename`} variant="quiet" label="Rename" />
      <ButtonLink to={`${path}/delete`} variant="danger" label="Delete" />
    </>
  );
  return renderPage(
    context,
    { title: kit.name, actions },
    <>
      <iframe
        class="sheet"
        src={`${path}/sheet`}
        title={`The sheet of ${kit.name}`}
        sandbox=""
        referrerpolicy="no-referrer"
      ></iframe>
      <Facts
        rows={[
          ["Used by", <SiteLinks sites={sites} />],
          [TITLES.sourceUrl, kit.sourceUrl !== null && <Source address={kit.sourceUrl} />],
          [TITLES.updatedAt, kit.updatedAt],
        ]}
      />
      <h2>Export</h2>
      <ul class="tabs">
        {Object.entries(FORMAT_NAMES).map(([format, name]) => (
          <li>
            <a href={`${path}/export/${format}`} download>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>,
  );
}

function SiteLinks({ sites }: { readonly sites: readonly Site[] }) {
  if (sites.length === 0) return <span class="soft">no site</span>;
  return sites.map(({ id, name }, index) => (
    <>
      {index > 0 && ", "}
      <a href={`/sites/${id}`}>{name}</a>
    </>
  ));
}

// Only web URLs become links, whatever the kit contains.
function Source({ address }: { readonly address: string }) {
  if (!/^https?:\/\//i.test(address)) return <>{address}</>;
  return (
    <a href={address} rel="noopener noreferrer">
      {address}
    </a>
  );
}

function showRename(context: DashboardContext, { id, name }: BrandKit, form: FormState): Response {
  const path = `/brand-kits/${id}`;
  return renderPage(
    context,
    { title: "Rename brand kit", parent: { title: name, path }, form },
    <FieldsForm to={`${path}/rename`} class="panel" fields={RENAME_FIELDS} state={form} button="Save" />,
  );
}

async function askToDelete(context: DashboardContext, { id, name }: BrandKit): Promise<Question> {
  const { database, accountId } = context.var.records;
  const sites = await listSitesOfKit(database, accountId, id);
  const uses =
    sites.length === 0 ? "No site uses it." : `${sites.map((site) => site.name).join(", ")} will have no brand kit.`;
  return {
    title: `Delete “${name}”?`,
    parent: { title: name, path: `/brand-kits/${id}` },
    button: "Delete brand kit",
    main: <p>{uses} Its logos stay in the library.</p>,
  };
}

/** Serves the kit as a document that loads and runs nothing. */
async function showSheet(context: DashboardContext): Promise<Response> {
  const kit = await findKit(context);
  const { renderSheet } = await import("../../../brand/render/sheet.ts");
  const sheet = renderSheet(bodyOf(kit), { files: await readFiles(context.var.records, kit) });
  const policy = "sandbox; script-src 'none'; frame-ancestors 'self'";
  return new Response(sheet, { headers: { ...FRAMED, "Content-Security-Policy": policy } });
}

/** Reads a kit's files in the library. Others are shown by name, so that their hosts don't learn about viewers. */
async function readFiles(context: Context, kit: BrandKit): Promise<ReadonlyMap<string, SheetFile>> {
  const { database, accountId, addresses, blobs } = context;
  const files = new Map<string, SheetFile>();
  for (const { url } of [...kit.logos, ...kit.fonts]) {
    const path = libraryPath(url, addresses.pagesUrl);
    const [id] = path === undefined ? [] : findAssetIds([path]);
    const file = id === undefined ? undefined : await findRow(database, "asset", { accountId, id });
    if (file === undefined || typeof url !== "string") continue;
    files.set(url, { bytes: await blobs.read(file.hash), contentType: file.contentType });
  }
  return files;
}

const CONTENT_TYPES = {
  css: "text/css",
  json: "application/json",
  "resolver.json": "application/json",
  yml: "text/plain",
  "tokens.json": "application/json",
} as const;

/** Exports the same files as `imprint brand export`. */
async function exportKit(context: DashboardContext): Promise<Response> {
  const kit = await findKit(context);
  const format = paramOf(context, "format");
  if (!isFormat(format)) throw new ProblemError("kit_not_found", { detail: "There is no such format." });
  const { extension } = EXPORT_FORMATS[format];
  const type = `${CONTENT_TYPES[extension]}; charset=utf-8`;
  return fileResponse(renderKit(bodyOf(kit), format), `brand-kit.${extension}`, type);
}

function isFormat(text: string): text is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, text);
}
