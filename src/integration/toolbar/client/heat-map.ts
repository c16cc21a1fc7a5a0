import type { Numbers } from "../messages.ts";

type Clicks = NonNullable<Numbers["clicks"]>;

interface Spot {
  readonly element: Element;
  readonly count: number;
}

const MAX_STEPS = 6;
const COLORS = ["255,215,94", "255,171,61", "251,122,42", "236,59,37", "179,0,30"] as const;
// The strongest color means at least this many clicks, so that a single click isn't hot.
const FULL = 5;

/**
 * Draws clicks over the page, each on the element that was clicked, since the dev page's layout may differ from the
 * published one.
 */
export function createHeatMap(canvas: HTMLCanvasElement) {
  let spots: readonly Spot[] = [];
  let frame = 0;
  const observer = new ResizeObserver(redraw);

  function redraw(): void {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => paint(canvas, spots));
  }

  return {
    /** Returns the number of clicks, and of those whose element was found. */
    show(clicks: Clicks) {
      spots = clicks.flatMap(({ selector, count }) => {
        const element = findElement(selector);
        return element === undefined ? [] : [{ element, count }];
      });
      if (!canvas.matches(":popover-open")) canvas.showPopover();
      observer.observe(document.documentElement);
      addEventListener("scroll", redraw, { passive: true, capture: true });
      addEventListener("resize", redraw);
      redraw();
      return { all: sum(clicks), placed: sum(spots) };
    },
    hide(): void {
      observer.disconnect();
      removeEventListener("scroll", redraw, { capture: true });
      removeEventListener("resize", redraw);
      if (canvas.matches(":popover-open")) canvas.hidePopover();
    },
  };
}

function sum(of: readonly { readonly count: number }[]): number {
  return of.reduce((total, { count }) => total + count, 0);
}

/** Finds the element of a selector; returns `undefined` if none or several match. */
function findElement(selector: string): Element | undefined {
  const isWhole = !selector.startsWith("#") && selector.split(">").length < MAX_STEPS;
  try {
    const [found, ...others] = document.querySelectorAll(isWhole ? `body>${selector}` : selector);
    return others.length === 0 ? found : undefined;
  } catch {
    // Selectors are untrusted: anybody can send one.
    return undefined;
  }
}

function paint(canvas: HTMLCanvasElement, spots: readonly Spot[]): void {
  const ratio = devicePixelRatio;
  canvas.width = innerWidth * ratio;
  canvas.height = innerHeight * ratio;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const top = Math.max(FULL, ...spots.map(({ count }) => count));
  for (const { element, count } of spots) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.bottom < 0 || box.top > innerHeight) continue;
    const level = Math.min(COLORS.length - 1, Math.ceil(COLORS.length * Math.sqrt(count / top)) - 1);
    paintSpot(context, { box, color: COLORS[level] ?? COLORS[0], count });
  }
}

// A glow as wide as the element: the position of a click within it doesn't apply to another layout.
function paintSpot(
  context: CanvasRenderingContext2D,
  { box, color, count }: { readonly box: DOMRect; readonly color: string; readonly count: number },
): void {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const radius = Math.max(box.height, 32);
  context.save();
  context.translate(x, y);
  context.scale(Math.max(1, box.width / box.height / 1.5), 1);
  const glow = context.createRadialGradient(0, 0, 0, 0, 0, radius);
  glow.addColorStop(0, `rgba(${color},0.75)`);
  glow.addColorStop(0.45, `rgba(${color},0.5)`);
  glow.addColorStop(1, `rgba(${color},0)`);
  context.fillStyle = glow;
  context.fillRect(-radius, -radius, radius * 2, radius * 2);
  context.restore();
  const label = String(count);
  context.font = "600 12px system-ui, sans-serif";
  const width = context.measureText(label).width + 12;
  const left = Math.min(innerWidth - width - 2, Math.max(2, box.right - width / 2));
  context.fillStyle = "#13151a";
  context.beginPath();
  context.roundRect(left, Math.max(2, box.top - 10), width, 20, 10);
  context.fill();
  context.fillStyle = "#fff";
  context.fillText(label, left + 6, Math.max(2, box.top - 10) + 14);
}
