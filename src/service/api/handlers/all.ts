import type { Handlers } from "../call.ts";
import { ACCOUNT_HANDLERS } from "./account.ts";
import { ANALYTICS_HANDLERS } from "./analytics.ts";
import { BLOG_HANDLERS } from "./blogs.ts";
import { BRAND_KIT_HANDLERS } from "./brand-kits.ts";
import { DOMAIN_HANDLERS } from "./domains.ts";
import { FORM_HANDLERS } from "./forms.ts";
import { LIBRARY_HANDLERS } from "./library.ts";
import { PAGE_HANDLERS } from "./pages.ts";
import { SITE_HANDLERS } from "./sites.ts";
import { WEBHOOK_HANDLERS } from "./webhooks.ts";

/** What is built. Every other operation of the contract answers 501 `not_implemented`. */
export const HANDLERS: Handlers = {
  ...PAGE_HANDLERS,
  ...SITE_HANDLERS,
  ...LIBRARY_HANDLERS,
  ...BLOG_HANDLERS,
  ...BRAND_KIT_HANDLERS,
  ...ANALYTICS_HANDLERS,
  ...FORM_HANDLERS,
  ...DOMAIN_HANDLERS,
  ...ACCOUNT_HANDLERS,
  ...WEBHOOK_HANDLERS,
};
