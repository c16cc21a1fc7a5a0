import type { Heatmap, ScrollDepth } from "../../../contract/operations/visitors.ts";
import type { Device } from "../../resources/beacon.ts";
import type { Page } from "../../store/pages.ts";
import { countOf } from "../parts/lists.tsx";

/** Viewport of each kind of device, in CSS pixels; preview frames have classes for these widths. */
export const WINDOWS = {
  mobile: { width: 390, height: 760 },
  tablet: { width: 820, height: 1100 },
  desktop: { width: 1280, height: 800 },
} as const satisfies Readonly<Record<Device, { readonly width: number; readonly height: number }>>;

export interface HeatmapFigureProps {
  readonly page: Page;
  readonly device: Device;
  readonly heatmap: Heatmap;
  readonly depth: ScrollDepth;
}

const LEVELS = [
  { color: "#ffd75e", opacity: 0.6 },
  { color: "#ffab3d", opacity: 0.65 },
  { color: "#fb7a2a", opacity: 0.7 },
  { color: "#ec3b25", opacity: 0.75 },
  { color: "#b3001e", opacity: 0.8 },
] as const;
// Layouts aren't higher than this.
const MAX_HEIGHT = 30_000;

/** Shows the page at full height with its clicks, and next to it, how many visitors reached each height. */
export function HeatmapFigure({ page, device, heatmap, depth }: HeatmapFigureProps) {
  const { width, height: windowHeight } = WINDOWS[device];
  const height = Math.min(MAX_HEIGHT, Math.max(windowHeight, heatmap.height));
  const clicks = heatmap.points.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure class="heatmap">
      <figcaption>
        <p>
          {countOf(clicks, "click")} in {countOf(heatmap.views, "view")}.{" "}
          {depth.views > 0 && describeHalf(depth.median)}
        </p>
        <Legend top={Math.max(0, ...heatmap.points.map(({ count }) => count))} />
      </figcaption>
      <div class={`layout w${width}`}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`Clicks on ${page.title}. The table of elements below contains the same data.`}
        >
          <Heat points={heatmap.points} width={width} />
          {depth.views > 0 && depth.median < 100 && <Fold y={(height * depth.median) / 100} width={width} />}
        </svg>
        <iframe
          src={`/analytics/${page.id}/layout?device=${device}`}
          title={`${page.title}, as on ${device}`}
          width={width}
          height={height}
          sandbox="allow-scripts"
          tabindex={-1}
          referrerpolicy="no-referrer"
        ></iframe>
      </div>
      <ScrollCurve depth={depth} />
    </figure>
  );
}

function describeHalf(median: number): string {
  return median < 100
    ? `Half of the visitors reached ${Math.round(median)}% of the page or further: the dashed line.`
    : "At least half of the visitors reached its end.";
}

function Legend({ top }: { readonly top: number }) {
  if (top === 0) return <></>;
  return (
    <p class="legend">
      <span>1 click</span>
      <svg viewBox="0 0 5 1" width="80" height="14" preserveAspectRatio="none" aria-hidden="true">
        {LEVELS.map(({ color }, index) => (
          <rect x={index} y="0" width="1" height="1" fill={color} />
        ))}
      </svg>
      <span>{Math.max(top, FULL)} clicks in the same place</span>
    </p>
  );
}

const SPOT = 26;
// Minimum number of clicks for the strongest color: a single click isn't hot.
const FULL = 5;

// Spots fade out, so that adjacent ones merge.
function Heat({ points, width }: { readonly points: Heatmap["points"]; readonly width: number }) {
  const top = Math.max(FULL, ...points.map(({ count }) => count));
  const levels = Map.groupBy(points, ({ count }) => Math.ceil(LEVELS.length * Math.sqrt(count / top)) - 1);
  return (
    <>
      <defs>
        {LEVELS.map(({ color, opacity }, level) => (
          <radialGradient id={`heat-${level}`}>
            <stop offset="0" stop-color={color} stop-opacity={opacity} />
            <stop offset="0.45" stop-color={color} stop-opacity={opacity * 0.8} />
            <stop offset="1" stop-color={color} stop-opacity="0" />
          </radialGradient>
        ))}
      </defs>
      {LEVELS.map((_, level) => (
        <g fill={`url(#heat-${level})`}>
          {(levels.get(level) ?? []).map(({ x, y }) => (
            <circle cx={Math.round(((x + 8) * width) / 1000)} cy={y + 8} r={SPOT + 3 * level} />
          ))}
        </g>
      ))}
    </>
  );
}

function Fold({ y, width }: { readonly y: number; readonly width: number }) {
  const line = { x1: "0", x2: width, y1: y, y2: y, "vector-effect": "non-scaling-stroke" };
  return (
    <>
      <line {...line} class="fold under" />
      <line {...line} class="fold" />
    </>
  );
}

const MARKS = [0, 25, 50, 75, 100] as const;

function ScrollCurve({ depth }: { readonly depth: ScrollDepth }) {
  const shareAt = (mark: number) => depth.buckets.find((bucket) => bucket.depth === mark)?.share ?? 1;
  return (
    <div class="depth">
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`How far visitors read. ${MARKS.slice(1)
          .map((mark) => `${percent(shareAt(mark))} reached ${mark}%`)
          .join(", ")}.`}
      >
        {depth.buckets.map(({ depth: until, share, reached }) => (
          <g>
            <title>
              {percent(share)} reached {until}% of the page ({reached} of {depth.views})
            </title>
            <rect x="0" y={until - 5} width="100" height="5" class="rest" />
            <rect x="0" y={until - 5} width={Math.round(share * 1000) / 10} height="5" class="reached" />
          </g>
        ))}
      </svg>
      <ol aria-hidden="true">
        {MARKS.map((mark) => (
          <li>
            <strong>{mark === 0 ? "100%" : percent(shareAt(mark))}</strong>
            <span>{mark === 0 ? "at the top" : `at ${mark}%`}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
