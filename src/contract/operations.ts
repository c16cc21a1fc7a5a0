import { PAGES_OPERATIONS } from "./operations/pages.ts";
import { SITES_OPERATIONS } from "./operations/sites.ts";
import { ASSETS_OPERATIONS } from "./operations/assets.ts";
import { BLOGS_OPERATIONS } from "./operations/blogs.ts";
import { ANALYTICS_OPERATIONS } from "./operations/analytics.ts";
import { FORMS_OPERATIONS } from "./operations/forms.ts";
import { DOMAINS_OPERATIONS } from "./operations/domains.ts";
import { BRAND_KITS_OPERATIONS } from "./operations/brand-kits.ts";
import { ACCESS_OPERATIONS } from "./operations/access.ts";
import { KEYS_OPERATIONS } from "./operations/keys.ts";
import { WEBHOOKS_OPERATIONS } from "./operations/webhooks.ts";

/**
 * Every operation of the two route sets and of our extensions, under one name wherever a set puts it. Requests and
 * answers that the specification does not show are decided in docs/service-api.md.
 */
export const OPERATIONS = {
  ...PAGES_OPERATIONS,
  ...SITES_OPERATIONS,
  ...ASSETS_OPERATIONS,
  ...BLOGS_OPERATIONS,
  ...ANALYTICS_OPERATIONS,
  ...FORMS_OPERATIONS,
  ...DOMAINS_OPERATIONS,
  ...BRAND_KITS_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...KEYS_OPERATIONS,
  ...WEBHOOKS_OPERATIONS,
} as const;

export type OperationName = keyof typeof OPERATIONS;
