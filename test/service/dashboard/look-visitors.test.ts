import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { LOOKS, lookAt, openSignedIn } from "./look.ts";
import type { Shown } from "./look.ts";
import { openSeeded } from "./seeded.ts";
import type { Seeded } from "./seeded.ts";

function pagesOf({ ids }: Seeded): readonly Shown[] {
  return [
    { name: "analytics", path: "/analytics" },
    { name: "analytics-week", path: "/analytics?days=7" },
    { name: "analytics-wrong-days", path: "/analytics?from=2026-02-01&to=2026-01-01" },
    { name: "analytics-page", path: `/analytics/${ids.pages.start}` },
    { name: "analytics-nobody", path: `/analytics/${ids.pages.menu}` },
    { name: "heatmap", path: `/analytics/${ids.pages.start}/heatmap` },
    { name: "heatmap-mobile", path: `/analytics/${ids.pages.start}/heatmap?device=mobile` },
    { name: "heatmap-nobody", path: `/analytics/${ids.pages.menu}/heatmap` },
    { name: "forms", path: "/forms" },
    { name: "form", path: `/forms/${ids.form}` },
    { name: "form-spam", path: `/forms/${ids.form}?show=spam` },
    { name: "brand-kits", path: "/brand-kits" },
    { name: "brand-kit", path: `/brand-kits/${ids.brandKit}` },
    { name: "brand-kit-rename", path: `/brand-kits/${ids.brandKit}/rename` },
    { name: "webhooks", path: "/webhooks" },
    { name: "webhook-new", path: "/webhooks/new" },
    { name: "webhook", path: `/webhooks/${ids.webhooks.working}` },
    { name: "webhook-failing", path: `/webhooks/${ids.webhooks.broken}` },
    { name: "webhook-delete", path: `/webhooks/${ids.webhooks.broken}/delete` },
    { name: "keys", path: "/keys" },
    { name: "clients", path: "/clients" },
    { name: "requests", path: "/requests" },
    { name: "requests-problems", path: "/requests?outcome=problem" },
    { name: "key-revoke", path: `/keys/${ids.key}/revoke` },
  ];
}

test(
  "analytics, forms, brand kits, keys, apps, webhooks and requests are accessible and fit every window, light and dark",
  { timeout: 600_000 },
  async () => {
    const seeded = await openSeeded();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const complaints: string[] = [];
    for (const look of LOOKS) {
      const context = await openSignedIn(browser, seeded.service, look);
      for (const shown of pagesOf(seeded)) {
        complaints.push(...(await lookAt(context, seeded.service, { shown, look })));
      }
      await context.close();
    }
    expect(complaints).toEqual([]);
  },
);
