// What was just done travels in the address of the next page by name, so that nobody can make the dashboard say
// something else.
const NOTICES: Readonly<Record<string, string>> = {
  "page-published": "The page is published.",
  "page-unpublished": "The page is a draft now; visitors are told that it is gone.",
  "page-deleted": "The page is deleted.",
  saved: "The changes are saved.",
  "site-created": "The site is made. Pages join it by their site, or by publishing them to it.",
  "site-deleted": "The site is deleted.",
  "assets-added": "The library holds what you chose.",
  "asset-deleted": "The file is deleted.",
  "blog-created": "The blog is made.",
  "post-created": "The post is saved.",
  "post-published": "The post is published.",
  "post-unpublished": "The post is a draft now; readers do not see it.",
  "domain-added": "The domain is added. Set the records below at your DNS host; they are looked for by themselves.",
  "domain-checked": "DNS was asked; below stands what is still missing.",
  "domain-active": "The domain is active: it leads here.",
  "domain-removed": "The domain is removed.",
  "post-deleted": "The post is deleted.",
  "submission-deleted": "The submission is deleted, also from events and deliveries.",
  "webhook-tested": "A test is on its way; load this page again to see its answer.",
  "webhook-on": "The webhook is on.",
  "webhook-off": "The webhook is off. What was still to be sent is given up.",
  "webhook-deleted": "The webhook is deleted.",
  "delivery-retried": "It is sent again.",
  "kit-extracted": "This is what the website tells about its brand.",
  "kit-deleted": "The brand kit is deleted.",
  "grant-revoked": "The app is disconnected: its tokens are refused from now on.",
  "key-revoked": "The key is revoked.",
};

/** The sentence of a notice; `undefined` for a name that there is none for. */
export function findNotice(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(NOTICES, name) ? NOTICES[name] : undefined;
}
