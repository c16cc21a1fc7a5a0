// Loaded by every dev page: remembers whether the panel is open, and loads the panel if it is.
import type { Panel } from "./panel.ts";

const OPEN = "imprint:open";

/** The part of Astro's app events that this app uses; Astro's own types would need those of Node. */
interface AppEvents {
  onToggled(callback: (change: { readonly state: boolean }) => void): void;
  toggleState(change: { readonly state: boolean }): void;
}

const app = {
  init(canvas: ShadowRoot, events: AppEvents): void {
    let panel: Promise<Panel> | undefined;
    const loadPanel = () => (panel ??= import("./panel.ts").then(({ createPanel }) => createPanel(canvas)));
    let isOpen = false;
    let isRestored = false;

    async function show(): Promise<void> {
      const { open } = await loadPanel();
      if (isOpen) open({ takesFocus: !isRestored });
      isRestored = false;
    }

    // Also called with an unchanged state when a view transition moves the toolbar to the next page.
    events.onToggled(({ state }) => {
      isOpen = state;
      sessionStorage.setItem(OPEN, state ? "yes" : "no");
      if (state) void show();
      else void panel?.then(({ close }) => close());
    });
    // Astro listens only while its bar is visible, which it isn't after a reload.
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && isOpen) events.toggleState({ state: false });
    });
    document.addEventListener("astro:page-load", () => {
      if (isOpen) void panel?.then(({ refresh }) => refresh());
    });
    reportMissingStyles();
    if (sessionStorage.getItem(OPEN) !== "yes") return;
    isRestored = true;
    // Astro considers the app ready only after this function returns.
    setTimeout(() => events.toggleState({ state: true }));
  },
};

// Astro uses the default export of an entry.
// oxlint-disable-next-line import/no-default-export
export default app;

// A page's CSP may block the inline styles of Astro's toolbar.
function reportMissingStyles(): void {
  const root = document.querySelector("astro-dev-toolbar")?.shadowRoot?.querySelector("#dev-toolbar-root");
  if (root === null || root === undefined || getComputedStyle(root).position === "fixed") return;
  // oxlint-disable-next-line no-console
  console.info(
    "imprint: the Content-Security-Policy of this page blocks the styles of the `astro dev` toolbar. `npx imprint status`, `plan`, `diff` and `analytics` show the same in a terminal.",
  );
}
