import { expect, test } from "vitest";
import { authorizeProgram, registerProgram } from "../oauth/program.ts";
import { submit } from "../visitors/visiting.ts";
import { lookAtAll, samplePages, type Shown } from "./look.ts";
import { openSeeded, type Seeded } from "./seeded.ts";

async function pagesOf({ ids, send, service }: Seeded): Promise<readonly Shown[]> {
  await submit(service, "contact", { fields: LONG });
  await authorizeProgram(service, await registerProgram(service, { client_name: "Pen and paper" }));
  await send("GET", "/api/pages/none");
  const [submission] = (await send("GET", "/api/forms/contact")).items;
  const [delivery] = (await send("GET", `/api/webhooks/${ids.webhooks.broken}/deliveries`)).items;
  return [
    { name: "submission-long", path: `/forms/${ids.form}/${String(submission?.["submissionId"])}` },
    { name: "delivery", path: `/webhooks/${ids.webhooks.broken}/deliveries/${String(delivery?.["id"])}` },
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
    { name: "audit", path: "/audit" },
    { name: "releases", path: "/releases" },
    { name: "key-revoke", path: `/keys/${ids.key}/revoke` },
  ];
}

// No visitor input may break a page.
const LONG = {
  name: "Donaudampfschifffahrtsgesellschaftskapitän".repeat(6),
  email: `${"long".repeat(15)}@${"mail".repeat(12)}.example`,
  message: `${"Two lines\n".repeat(4)}${"and a long sentence that does not want to end, ".repeat(60)}`,
  "a field that the form doesn't have": "☂".repeat(200),
};

test(
  "analytics, forms, brand kits, keys, apps, webhooks, and requests are accessible and fit every window, light and dark",
  { timeout: 600_000 },
  async () => {
    const seeded = await openSeeded();
    expect(await lookAtAll(seeded.service, samplePages(await pagesOf(seeded)))).toEqual([]);
  },
);
