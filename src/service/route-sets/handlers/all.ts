import type { Handlers } from "../call.ts";
import { ACCOUNT_HANDLERS } from "./account.ts";
import { BLOG_HANDLERS } from "./blogs.ts";
import { BRAND_KIT_HANDLERS } from "./brand-kits.ts";
import { LIBRARY_HANDLERS } from "./library.ts";
import { PAGE_HANDLERS } from "./pages.ts";
import { SITE_HANDLERS } from "./sites.ts";

/** What is built. Every other operation of the contract answers 501 `not_implemented`. */
export const HANDLERS: Handlers = {
  ...PAGE_HANDLERS,
  ...SITE_HANDLERS,
  ...LIBRARY_HANDLERS,
  ...BLOG_HANDLERS,
  ...BRAND_KIT_HANDLERS,
  ...ACCOUNT_HANDLERS,
};
