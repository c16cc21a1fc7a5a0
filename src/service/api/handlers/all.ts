import type { Handlers } from "../call.ts";
import { ACCOUNT_HANDLERS } from "./account.ts";
import { BLOG_HANDLERS } from "./blogs.ts";
import { LIBRARY_HANDLERS } from "./library.ts";
import { PAGE_HANDLERS } from "./pages.ts";
import { PEOPLE_HANDLERS } from "./people.ts";
import { RELEASE_HANDLERS } from "./releases.ts";
import { VISITOR_HANDLERS } from "./visitors.ts";

/** All implemented handlers. Every other operation responds with 501 `not_implemented`. */
export const HANDLERS: Handlers = {
  ...PAGE_HANDLERS,
  ...LIBRARY_HANDLERS,
  ...BLOG_HANDLERS,
  ...VISITOR_HANDLERS,
  ...ACCOUNT_HANDLERS,
  ...RELEASE_HANDLERS,
  ...PEOPLE_HANDLERS,
};
