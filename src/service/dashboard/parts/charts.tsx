import { Count, countOf, Table } from "./lists.tsx";

/** Views and visitors of a day. */
export interface ViewsStep {
  /** Start of the day as ISO 8601. */
  readonly at: string;
  /** `null` if unknown. */
  readonly views: number | null;
  readonly visitors: number;
}

const HEIGHT = 100;
// Gap between bars, as a share of the step.
const GAP = 0.22;
const MAX_LABELS = 5;
const DAY_FORMAT = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

export interface ViewsChartProps {
  readonly steps: readonly ViewsStep[];
  readonly title: string;
  /** What the front bars count. Default: visitors. */
  readonly counted?: "visitor" | "visit";
}

/** Bars of views with bars of visitors in front, and the same data as a table. */
export function ViewsChart({ steps, title, counted = "visitor" }: ViewsChartProps) {
  const top = niceTop(Math.max(1, ...steps.map(heightOf)));
  const labelEvery = Math.max(1, Math.ceil((steps.length - 1) / (MAX_LABELS - 1)));
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="legend">
          {steps.some(({ views }) => views !== null) && <span class="key views">views</span>}
          <span class="key visitors">{counted}s</span>
        </span>
      </figcaption>
      <div class="plot" aria-hidden="true">
        <ol class="scale">
          {[top, top / 2, 0].map((value) => (
            <li>
              <Count value={value} />
            </li>
          ))}
        </ol>
        <svg viewBox={`0 0 ${steps.length} ${HEIGHT}`} preserveAspectRatio="none" class="bars">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line x1="0" x2={steps.length} y1={y} y2={y} class="rule" />
          ))}
          {steps.map((step, index) => (
            <Bar step={step} index={index} top={top} counted={counted} />
          ))}
        </svg>
        {/* One item below each bar, most of them empty. */}
        <ol class="times">
          {steps.map(({ at }, index) => (
            <li>{(steps.length - 1 - index) % labelEvery === 0 && DAY_FORMAT.format(new Date(at))}</li>
          ))}
        </ol>
      </div>
      <details>
        <summary>Show the numbers</summary>
        <Table
          caption={title}
          rows={steps.toReversed()}
          columns={[
            ["Day (UTC)", ({ at }) => at.slice(0, 10)],
            ["Views", ({ views }) => views ?? "–"],
            [counted === "visitor" ? "Visitors" : "Visits", ({ visitors }) => visitors],
          ]}
        />
      </details>
    </figure>
  );
}

function Bar({
  step,
  index,
  top,
  counted,
}: {
  readonly step: ViewsStep;
  readonly index: number;
  readonly top: number;
  readonly counted: string;
}) {
  const x = round(index + GAP / 2);
  const width = round(1 - GAP);
  const { at, views, visitors } = step;
  const [high, low] = [
    round((HEIGHT * heightOf(step)) / top),
    round((HEIGHT * Math.min(visitors, heightOf(step))) / top),
  ];
  return (
    <g>
      <title>{`${at.slice(0, 10)}: ${views === null ? "" : `${countOf(views, "view")}, `}${countOf(visitors, counted)}`}</title>
      <rect x={index} y="0" width="1" height={HEIGHT} class="reach" />
      <rect x={x} y={round(HEIGHT - high)} width={width} height={high} class="views" />
      <rect x={x} y={round(HEIGHT - low)} width={width} height={low} class="visitors" />
    </g>
  );
}

function heightOf({ views, visitors }: ViewsStep): number {
  return views ?? visitors;
}

const NICE = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** Returns the smallest even round number that is at least this value. */
function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const top = (NICE.find((each) => each * unit >= value) ?? 10) * unit;
  return Math.max(2, top % 2 === 0 ? top : top + 1);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

type Shared = readonly {
  readonly name: string;
  readonly count: number;
  /** Target of the name's link. */
  readonly path?: string;
  /** Shown next to the name. */
  readonly note?: string | undefined;
}[];

/** Names with their counts, as bars for comparison. */
export function Shares({ rows, empty }: { readonly rows: Shared; readonly empty: string }) {
  const top = Math.max(1, ...rows.map(({ count }) => count));
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <ul class="shares">
      {rows.map(({ name, count, path, note }) => (
        <li>
          <span class="name">
            {path === undefined ? name : <a href={path}>{name}</a>}
            {note !== undefined && <span class="soft"> {note}</span>}
          </span>
          <CountBar count={count} top={top} />
        </li>
      ))}
    </ul>
  );
}

/** A count, and a bar for its share of the highest one; no bar for zero. */
export function CountBar({ count, top }: { readonly count: number; readonly top: number }) {
  return (
    <>
      <Count value={count} />
      {count > 0 && (
        <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="1" class="rest" />
          <rect width={Math.round((1000 * count) / top) / 10} height="1" />
        </svg>
      )}
    </>
  );
}
