-- The HTML of pages that came with releases, once for each hash. A page without a row in `page_html` has its HTML here.
-- `asset_ids` are the library files that it names; `used_at` is when it was last sent.
create table content (
  account_id text not null references account (id) on delete cascade,
  hash text not null,
  body blob not null,
  asset_ids text not null,
  has_forms integer not null check (has_forms in (0, 1)),
  used_at integer not null,
  primary key (account_id, hash)
) strict;

create index content_by_use on content (used_at);

-- A site that is published at once. `line` is the site and preview whose releases follow each other; the one of a line
-- with the highest `sequence` is live, which only published ones have. `whole` is 1 where all pages are listed.
-- `revision` counts what was written to an open release. A pruned one only holds the rows that later ones build on.
create table release (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  site_id text references site (id) on delete cascade,
  preview text,
  line text not null,
  state text not null check (state in ('open', 'published', 'expired', 'pruned')),
  sequence integer,
  parent text,
  whole integer not null check (whole in (0, 1)),
  revision integer not null,
  manifest text,
  rollback_of text,
  author text,
  pages integer not null,
  removes integer not null,
  kept text not null,
  created_at integer not null,
  published_at integer,
  expires_at integer,
  settled_at integer,
  unique (account_id, sequence)
) strict;

create index release_by_age on release (account_id, created_at, id);
create index release_of_line on release (account_id, line, sequence);
create index release_by_site on release (site_id);
create index release_unsettled on release (account_id) where state = 'published' and settled_at is null;

-- What a release changes: without `content_hash` it removes the page. `pending` is 1 until the page itself was written
-- after the release was published; while the page still has `base_version`, readers get this row in its place.
create table release_page (
  release_id text not null references release (id) on delete cascade,
  slug text not null,
  account_id text not null,
  page_id text not null,
  title text not null,
  description text,
  content_hash text,
  bytes integer not null,
  base_version integer not null,
  version integer not null,
  pending integer not null check (pending in (0, 1)),
  primary key (release_id, slug)
) strict, without rowid;

create index release_page_by_slug on release_page (account_id, slug);
create index release_page_by_content on release_page (account_id, content_hash);
create index release_page_pending on release_page (release_id, slug) where pending = 1;
create index release_page_waiting on release_page (account_id, slug) where pending = 1;

-- The files that a release names. Their ids are known before their bytes have come.
create table release_asset (
  release_id text not null references release (id) on delete cascade,
  hash text not null,
  account_id text not null,
  asset_id text not null,
  name text not null,
  primary key (release_id, hash)
) strict, without rowid;

create index release_asset_by_hash on release_asset (account_id, hash);

-- The version that a release gave the page; another one was written by hand.
alter table page add column release_version integer;

create index page_edited on page (account_id, slug) where release_version is not null and version <> release_version;
create index page_by_content on page (account_id, content_hash);
