import type { Heatmap } from "../../../contract/operations/visitors.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { makeCurrent } from "../../resources/current-addresses.ts";
import { DEVICES, type Device } from "../../resources/beacon.ts";
import { drawHeatmap, measureScrollDepth } from "../../resources/analytics.ts";
import { getPageById, getPageHtml } from "../../resources/pages.ts";
import { DAY_MS, startOfDay } from "../../resources/time-range.ts";
import { readSums } from "../../store/analytics.ts";
import { paramOf, type DashboardContext } from "../context.ts";
import type { Fields } from "../forms.ts";
import { CountBar } from "../parts/charts.tsx";
import { Filter } from "../parts/fields.tsx";
import { countOf, Empty, searchOf, Table } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { answerPreview } from "../parts/previews.tsx";
import { RangePicker, rangeQuery, readRange, type ChosenRange } from "./day-range.tsx";
import { nameElements } from "./element-names.ts";
import { HeatmapFigure, WINDOWS } from "./heatmap-figure.tsx";
import { fixViewportHeight } from "./viewport-height.ts";

/** Shows the clicks on a page and how far it was read. */
export async function showHeatmap(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const page = await getPageById(records, paramOf(context, "pageId"));
  const range = readRange(context);
  const choice = await choose(context, page.id, range);
  const query = { pageId: page.id, from: range.from, to: range.to, device: choice.device, version: choice.version };
  const heatmap = await drawHeatmap(records, query);
  const depth = await measureScrollDepth(records, query);
  const names = nameElements(
    new TextDecoder().decode(await getPageHtml(records, page)),
    heatmap.elements.map(({ selector }) => selector),
  );
  const kept = { device: choice.device, version: choice.version === undefined ? "all" : String(choice.version) };
  const days = rangeQuery(range);
  return renderPage(
    context,
    {
      title: "Clicks and scrolling",
      parent: { title: page.title, path: `/analytics/${page.id}${searchOf(days)}` },
    },
    <>
      <RangePicker range={range} kept={kept} />
      <Filter fields={PICKER} offers={offersOf(choice, page.version)} values={kept} kept={days} />
      {choice.version !== page.version && (
        <p class="soft">
          Drawn over the current page, version {page.version}; clicked elements may have been elsewhere.
        </p>
      )}
      {heatmap.views === 0 ? (
        <Empty>No one viewed this layout on these days.</Empty>
      ) : (
        <>
          <HeatmapFigure page={page} device={choice.device} heatmap={heatmap} depth={depth} />
          <h2>Clicked elements</h2>
          <ElementTable elements={heatmap.elements} names={names} />
        </>
      )}
    </>,
  );
}

interface Choice {
  readonly device: Device;
  /** `undefined` for all versions. */
  readonly version: number | undefined;
  /** Available choices with their views. */
  readonly devices: ReadonlyMap<Device, number>;
  readonly versions: readonly number[];
}

/** Returns the choice in the URL, by default the newest version seen and the device with most of its views. */
async function choose(context: DashboardContext, pageId: string, range: ChosenRange): Promise<Choice> {
  const {
    req,
    var: { records },
  } = context;
  const span = { from: Date.parse(range.from), until: startOfDay(new Date(range.to)) + DAY_MS };
  const layouts = await readSums(records.database, "viewHour", {
    scope: { pageId },
    span,
    sum: "views",
    by: ["version", "device"],
  });
  const versions = [...new Set(layouts.map(({ version }) => version))].sort((one, other) => other - one);
  const asked = req.query("version");
  const version = asked === "all" ? undefined : (versions.find((each) => String(each) === asked) ?? versions[0]);
  const devices = new Map(
    DEVICES.map((device) => [
      device,
      layouts
        .filter((layout) => layout.device === device && (version === undefined || layout.version === version))
        .reduce((sum, { views }) => sum + views, 0),
    ]),
  );
  const [usual] = [...devices].sort(([, one], [, other]) => other - one);
  const device = DEVICES.find((each) => each === req.query("device")) ?? usual?.[0] ?? "desktop";
  return { device, version, devices, versions };
}

const PICKER: Fields = {
  device: { label: "Device", kind: "choice" },
  version: { label: "Version of the page", kind: "choice" },
};

function offersOf({ devices, versions }: Choice, current: number) {
  return {
    device: [...devices].map(([device, views]) => [device, `${device}, ${countOf(views, "view")}`] as const),
    version: [
      ...versions.map((each) => [String(each), each === current ? `${each}, current` : String(each)] as const),
      ["all", "all versions"] as const,
    ],
  };
}

/** Lists clicked elements with their `names` by selector, as an accessible version of the heatmap. */
function ElementTable({
  elements,
  names,
}: {
  readonly elements: Heatmap["elements"];
  readonly names: ReadonlyMap<string, string>;
}) {
  const top = Math.max(1, ...elements.map(({ count }) => count));
  if (elements.length === 0) return <p class="soft">Nothing was clicked.</p>;
  return (
    <Table
      caption="Clicked elements, most clicked first"
      rows={elements}
      columns={[
        ["Element", ({ selector }) => <ElementName name={names.get(selector)} selector={selector} />, "words"],
        ["Clicks", ({ count }) => <CountBar count={count} top={top} />],
      ]}
    />
  );
}

function ElementName({ name, selector }: { readonly name: string | undefined; readonly selector: string }) {
  return (
    <>
      {name}
      <p class="note">
        <code>{selector}</code>
      </p>
    </>
  );
}

/** Serves the page for a frame as high as the page: what fills the window must not fill the frame. */
export async function showLayout(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const page = await getPageById(records, paramOf(context, "pageId"));
  const device = DEVICES.find((each) => each === context.req.query("device")) ?? "desktop";
  const text = new TextDecoder().decode(await getPageHtml(records, page));
  const html = makeCurrent({ text, kind: "html" }, records.addresses);
  const laidOut = fixViewportHeight(html, WINDOWS[device].height);
  return answerPreview(laidOut, publicPageUrl(records.addresses, page.slug));
}
