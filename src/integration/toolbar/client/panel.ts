import { createAsker } from "./ask.ts";
import { describe, make } from "./elements.ts";
import { createHeatMap } from "./heat-map.ts";
import type { Ask, Numbers, PageState, Problem, WorkView } from "../messages.ts";
import { describeState, renderParts } from "./parts.ts";
import { STYLE } from "./style.ts";

export type Panel = ReturnType<typeof createPanel>;

const DOING: Readonly<Partial<Record<Ask["kind"], string>>> = {
  plan: "Building and comparing",
  "publish-page": "Publishing this page",
  "publish-all": "Publishing the site",
  preview: "Publishing a preview",
  login: "Waiting for the login in your browser",
};

/** Creates the panel and the heat map's canvas, which are shown above everything else on the page. */
export function createPanel(root: ShadowRoot) {
  const { canvas, panel, title, status, work, problem, heat, placed, parts, actions } = buildPanel(root);
  const heatSwitch = createHeatSwitch({ heat, placed, canvas }, raise);
  const ask = createAsker(showProblem);

  function showProblem(found: Problem | undefined): void {
    problem.hidden = found === undefined;
    problem.replaceChildren(...(found === undefined ? [] : describeProblem(found, () => void start("login"))));
  }

  async function refresh(): Promise<void> {
    const path = location.pathname;
    const answer = await ask("state");
    // Meanwhile another page was opened.
    if (answer?.state === undefined || path !== location.pathname) return;
    const { state } = answer;
    if (state.problem !== undefined) showProblem(state.problem);
    status.replaceChildren(...describeState(state));
    parts.replaceChildren(...renderParts(state));
    heatSwitch.show(state);
    if (answer.work !== undefined && answer.work.outcome === undefined) void follow(answer.work);
  }

  function raise(): void {
    if (panel.matches(":popover-open")) panel.hidePopover();
    panel.showPopover();
  }

  async function start(kind: Ask["kind"]): Promise<void> {
    const answer = await ask(kind);
    if (answer?.work !== undefined) await follow(answer.work);
  }

  let followed = 0;
  async function follow(begun: WorkView): Promise<void> {
    const own = ++followed;
    let current: WorkView | undefined = begun;
    for (const each of actions.querySelectorAll("button")) each.disabled = true;
    while (current !== undefined && own === followed) {
      work.replaceChildren(...describeWork(current));
      if (current.outcome !== undefined) break;
      current = (await ask("follow", current.revision))?.work;
    }
    if (own !== followed) return;
    for (const each of actions.querySelectorAll("button")) each.disabled = false;
    await refresh();
  }

  actions.append(
    button("Plan", () => void start("plan")),
    confirmed("Publish this page", () => void start("publish-page")),
    confirmed("Publish all", () => void start("publish-all")),
    button("Preview", () => void start("preview")),
    button("Dashboard", async () => {
      const address = (await ask("dashboard"))?.open;
      if (address !== undefined) window.open(address, "_blank", "noopener");
    }),
  );

  return {
    open({ takesFocus }: { readonly takesFocus: boolean }): void {
      raise();
      if (takesFocus) title.focus();
      void refresh();
    },
    close(): void {
      heatSwitch.hide();
      if (panel.matches(":popover-open")) panel.hidePopover();
    },
    refresh,
  };
}

function button(label: string, act: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", textContent: label });
  element.addEventListener("click", act);
  return element;
}

/** Creates a button that has to be pressed twice, because readers see the result immediately. */
function confirmed(label: string, act: () => void): HTMLButtonElement {
  let isAsked = false;
  const element = button(label, () => {
    if (isAsked) act();
    isAsked = !isAsked;
    element.textContent = isAsked ? `${label}? Press again` : label;
  });
  element.addEventListener("blur", () => {
    isAsked = false;
    element.textContent = label;
  });
  return element;
}

function describeWork({ kind, progress, open, outcome }: WorkView): readonly Node[] {
  const isLogin = kind === "login";
  const doing = DOING[kind] ?? "";
  const heads = {
    done: `${doing}: done.`,
    incomplete: kind === "plan" ? `${doing}: done. A publish would leave out:` : `${doing}: done, except for:`,
    failed: `${doing} failed.`,
  };
  const head = outcome === undefined ? `${doing}…` : heads[outcome];
  return [
    make("strong", { textContent: head }),
    make("pre", { textContent: outcome === "done" || (isLogin && open !== undefined) ? "" : progress }),
    ...(open === undefined || (isLogin && outcome !== undefined)
      ? []
      : [make("a", { href: open, target: "_blank", textContent: isLogin ? "Open the login" : "Open the preview" })]),
  ];
}

function describeProblem({ message, hint = "", needsLogin }: Problem, login: () => void): readonly Node[] {
  const words = [make("strong", {}, describe(message)), make("span", {}, describe(hint))];
  return needsLogin === true ? [...words, button("Log in", login)] : words;
}

function buildPanel(root: ShadowRoot) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const canvas = make("canvas", { popover: "manual", ariaHidden: "true" });
  const title = make("h1", { tabIndex: -1, textContent: "imprint" });
  const status = make("p", { className: "status", textContent: "Loading…" });
  const work = make("div", { className: "work", role: "status" });
  const problem = make("div", { className: "problem", role: "alert", hidden: true });
  const heat = make("button", { type: "button", textContent: "Show clicks", ariaPressed: "false" });
  const placed = make("p", { className: "soft", role: "status" });
  const parts = make("div", { className: "parts" });
  const actions = make("div", { className: "actions" });
  const scroll = make("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "imprint: this page" }, [
    ...[title, status, problem, actions, work, make("div", { className: "heat" }, [heat, placed]), parts],
  ]);
  const panel = make("section", { className: "panel", popover: "manual", ariaLabel: "imprint" }, [scroll]);
  root.append(canvas, panel);
  return { canvas, panel, title, status, work, problem, heat, placed, parts, actions };
}

interface HeatParts {
  readonly heat: HTMLButtonElement;
  readonly placed: HTMLElement;
  readonly canvas: HTMLCanvasElement;
}

/** The button that draws clicks over the page, with its status text; `raise` brings the panel above them. */
function createHeatSwitch({ heat, placed, canvas }: HeatParts, raise: () => void) {
  const heatMap = createHeatMap(canvas);
  let clicks: Clicks;
  let isShown = false;

  function draw(): void {
    heat.ariaPressed = String(isShown);
    if (!isShown || clicks === undefined) return heatMap.hide();
    const { all, placed: found } = heatMap.show(clicks);
    raise();
    placed.textContent =
      all === 0
        ? "Nobody clicked on the published page in the last 30 days."
        : `${found} of ${all} clicks could be placed, each on the element that was clicked.`;
  }

  heat.addEventListener("click", () => {
    isShown = !isShown;
    placed.textContent = "";
    draw();
  });
  return {
    show({ numbers }: PageState): void {
      clicks = numbers.kind === "known" ? numbers.value.clicks : undefined;
      heat.disabled = clicks === undefined;
      const isMissing = numbers.kind === "known" && clicks === undefined;
      placed.textContent = isMissing ? "This service doesn't report clicks." : "";
      draw();
    },
    hide: heatMap.hide,
  };
}

type Clicks = Numbers["clicks"];
