import { DEVICES, type Device } from "../../../resources/beacon.ts";
import { drawHeatmap, measureScrollDepth } from "../../../resources/analytics.ts";
import { getPageById, getPageHtml } from "../../../resources/pages.ts";
import { startOfDay, DAY_MS } from "../../../resources/time-range.ts";
import { listLayouts } from "../../../store/layout-analytics.ts";
import { Empty } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import type { DashboardContext } from "../../scene.ts";
import { HeatmapFigure } from "./heatmap-figure.tsx";
import { ElementTable } from "./element-table.tsx";
import { nameElements } from "./element-names.ts";
import { RangePicker, rangeQuery, readRange, type ChosenRange } from "./range.tsx";

/** `/analytics/:pageId/heatmap`: where a page was clicked, drawn over it, and how far it was read. */
export async function showHeatmap(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const page = await getPageById(scene.records, context.req.param("pageId") ?? "");
  const range = readRange(context);
  const choice = await choose(context, { pageId: page.id, range });
  const query = { pageId: page.id, from: range.from, to: range.to, device: choice.device, version: choice.version };
  const heatmap = await drawHeatmap(scene.records, query);
  const depth = await measureScrollDepth(scene.records, query);
  const names = nameElements(
    new TextDecoder().decode(await getPageHtml(scene.records, page)),
    heatmap.elements.map(({ selector }) => selector),
  );
  const kept = { device: choice.device, version: choice.version === undefined ? "all" : String(choice.version) };
  const search = new URLSearchParams({ ...rangeQuery(range) });
  return renderShell(
    scene,
    {
      title: "Clicks and scrolling",
      section: "/analytics",
      parent: { title: page.title, path: `/analytics/${page.id}?${search}` },
    },
    <>
      <RangePicker range={range} kept={kept} />
      <LayoutPicker choice={choice} range={range} currentVersion={page.version} />
      {choice.version !== page.version && (
        <p class="soft">
          Drawn over the page as it is now, version {page.version}; what was clicked may have stood elsewhere.
        </p>
      )}
      {heatmap.views === 0 ? (
        <Empty>
          <p>Nobody looked at this layout on these days.</p>
        </Empty>
      ) : (
        <>
          <HeatmapFigure page={page} device={choice.device} heatmap={heatmap} depth={depth} />
          <h2>What was clicked</h2>
          <ElementTable elements={heatmap.elements} names={names} />
        </>
      )}
    </>,
  );
}

interface Choice {
  readonly device: Device;
  /** `undefined`: all of them together. */
  readonly version: number | undefined;
  /** What there is to choose from, with its views. */
  readonly devices: ReadonlyMap<Device, number>;
  readonly versions: readonly number[];
}

interface ChoiceOf {
  readonly pageId: string;
  readonly range: ChosenRange;
}

/** What the address asks for, else the newest version that was seen and the kind of device that saw it most. */
async function choose({ req, var: { scene } }: DashboardContext, { pageId, range }: ChoiceOf): Promise<Choice> {
  const span = { from: Date.parse(range.from), until: startOfDay(new Date(range.to)) + DAY_MS };
  const layouts = await listLayouts(scene.records.database, pageId, span);
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

interface LayoutPickerProps {
  readonly choice: Choice;
  readonly range: ChosenRange;
  readonly currentVersion: number;
}

function LayoutPicker({ choice, range, currentVersion }: LayoutPickerProps) {
  return (
    <form method="get" class="filter">
      {Object.entries(rangeQuery(range)).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <div>
        <label for="device">Device</label>
        <select id="device" name="device">
          {[...choice.devices].map(([device, views]) => (
            <option value={device} selected={device === choice.device}>
              {device}, {views} {views === 1 ? "view" : "views"}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="version">Version of the page</label>
        <select id="version" name="version">
          {choice.versions.map((version) => (
            <option value={version} selected={version === choice.version}>
              {version}
              {version === currentVersion && ", as it is now"}
            </option>
          ))}
          <option value="all" selected={choice.version === undefined}>
            all together
          </option>
        </select>
      </div>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
}
