-- Visits of a day by what they have in common, for the pages that they came to, their site and the account. Nothing here is
-- about one visitor. What a link doesn't say is an empty text. Of a page, `visits` are those that saw it; of a site and the
-- account, those that began on one of its pages.
create table visit_day (
  scope text not null,
  day integer not null,
  source text not null,
  medium text not null,
  campaign text not null,
  term text not null,
  content text not null,
  browser text not null,
  system text not null,
  device text not null,
  views integer not null,
  visits integer not null,
  entries integer not null,
  exits integer not null,
  bounces integer not null,
  primary key (scope, day, source, medium, campaign, term, content, browser, system, device)
) strict, without rowid;

-- Visits that may go on, by the hash that distinguishes visitors for a day; they go with the day. `site_id` is empty for pages of
-- no site, `page_id` is the page that was seen last, `seen` all that were.
create table open_visit (
  day integer not null,
  visitor blob not null,
  site_id text not null,
  source text not null,
  medium text not null,
  campaign text not null,
  term text not null,
  content text not null,
  browser text not null,
  system text not null,
  device text not null,
  page_id text not null,
  seen text not null,
  views integer not null,
  seen_at integer not null,
  primary key (day, visitor, site_id)
) strict, without rowid;
