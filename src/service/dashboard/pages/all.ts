import type { DashboardApp } from "../scene.ts";
import { registerBlogPages } from "./blogs/all.ts";
import { registerDomainPages } from "./domains/all.ts";
import { registerLibraryPages } from "./library/all.ts";
import { registerAnalyticsPages } from "./analytics/analytics.tsx";
import { registerBrandKitPages } from "./brand-kits/all.ts";
import { registerClientPages } from "./clients.tsx";
import { registerFormPages } from "./forms/forms.tsx";
import { registerKeyPages } from "./keys.tsx";
import { registerPagePages } from "./pages/all.ts";
import { registerPostPages } from "./posts/all.ts";
import { registerRequestPages } from "./requests/requests.tsx";
import { registerOverview } from "./overview/all.ts";
import { registerSettings } from "./settings/settings.tsx";
import { registerSitePages } from "./sites/all.ts";
import { registerWebhookPages } from "./webhooks/webhooks.tsx";

/** Registers every page of the dashboard behind the door. */
export function registerPages(app: DashboardApp): void {
  registerOverview(app);
  registerPagePages(app);
  registerSitePages(app);
  registerLibraryPages(app);
  registerBlogPages(app);
  registerPostPages(app);
  registerAnalyticsPages(app);
  registerBrandKitPages(app);
  registerFormPages(app);
  registerKeyPages(app);
  registerRequestPages(app);
  registerClientPages(app);
  registerWebhookPages(app);
  registerDomainPages(app);
  registerSettings(app);
}
