// What was just done travels in the address of the next page by name, so that nobody can make the dashboard say
// something else.
const NOTICES: Readonly<Record<string, string>> = {
  saved: "Changes saved.",
  "page-published": "Page published.",
  "page-unpublished": "The page is now a draft. Visitors see that it is gone.",
  "page-deleted": "Page deleted.",
  "site-created": "Site created. Assign pages to it in their details, or publish them to it.",
  "site-deleted": "Site deleted.",
  "assets-added": "Files added to the library.",
  "asset-deleted": "File deleted.",
  "blog-created": "Blog created.",
  "post-created": "Post saved.",
  "post-published": "Post published.",
  "post-unpublished": "The post is now a draft. Readers can't see it.",
  "post-deleted": "Post deleted.",
  "domain-added": "Domain added. Set the records below at your DNS host; they are checked automatically.",
  "domain-checked": "DNS checked. Missing records are listed below.",
  "domain-active": "The domain is active.",
  "domain-removed": "Domain removed.",
  "submission-deleted": "Submission deleted, including its copies in events and deliveries.",
  "webhook-tested": "Test sent. Reload this page to see the response.",
  "webhook-on": "Webhook enabled.",
  "webhook-off": "Webhook disabled. Pending deliveries were canceled.",
  "webhook-deleted": "Webhook deleted.",
  "delivery-retried": "The delivery is being sent again.",
  "kit-extracted": "This is the brand kit found on the website.",
  "kit-deleted": "Brand kit deleted.",
  "grant-revoked": "App disconnected. Its tokens no longer work.",
  "key-revoked": "API key revoked.",
};

/** The sentence of a notice; `undefined` for an unknown name. */
export function findNotice(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(NOTICES, name) ? NOTICES[name] : undefined;
}
