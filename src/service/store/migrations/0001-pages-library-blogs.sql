create table account (
  id text primary key,
  name text not null,
  created_at integer not null
) strict;

create table api_key (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  hash text not null unique,
  environment text not null,
  last_four text not null,
  scopes text,
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer
) strict;

create table brand_kit (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  colors text not null,
  fonts text not null,
  logos text not null,
  source_url text,
  version integer not null,
  created_at integer not null,
  updated_at integer not null
) strict;

create index brand_kit_by_age on brand_kit (account_id, created_at, id);

create table site (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  slug text not null,
  home_slug text,
  brand_kit_id text references brand_kit (id) on delete set null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, slug)
) strict;

create index site_by_age on site (account_id, created_at, id);
create index site_by_brand_kit on site (brand_kit_id);

create table page (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  slug text not null,
  title text not null,
  status text not null check (status in ('draft', 'published')),
  site_id text references site (id) on delete set null,
  description text,
  content_hash text not null,
  bytes integer not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  published_at integer,
  unique (account_id, slug)
) strict;

create index page_by_age on page (account_id, created_at, id);
create index page_by_site on page (site_id);

-- Apart from `page`, so that a list of pages never reads past megabytes of HTML.
create table page_html (
  page_id text primary key references page (id) on delete cascade,
  html blob not null
) strict;

create table deleted_page (
  account_id text not null references account (id) on delete cascade,
  slug text not null,
  deleted_at integer not null,
  primary key (account_id, slug)
) strict, without rowid;

create table asset (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  content_type text not null,
  size integer not null,
  hash text not null,
  width integer,
  height integer,
  alt text,
  tags text not null,
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, hash)
) strict;

create index asset_by_age on asset (account_id, created_at, id);

create table page_asset (
  page_id text not null references page (id) on delete cascade,
  asset_id text not null references asset (id) on delete cascade,
  primary key (page_id, asset_id)
) strict, without rowid;

create index page_asset_by_asset on page_asset (asset_id);

create table blog (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  slug text not null,
  description text,
  site_id text references site (id) on delete set null,
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, slug)
) strict;

create index blog_by_age on blog (account_id, created_at, id);
create index blog_by_site on blog (site_id);

-- `copy` is 0 except where the service imitates one that duplicates a repeated post.
create table post (
  id text primary key,
  blog_id text not null references blog (id) on delete cascade,
  slug text not null,
  copy integer not null default 0,
  title text not null,
  status text not null check (status in ('draft', 'published')),
  published_at integer,
  excerpt text,
  cover_image text,
  tags text not null,
  author text,
  canonical_url text,
  content_hash text not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  html text,
  markdown text,
  unique (blog_id, slug, copy),
  check ((html is null) <> (markdown is null))
) strict;

create index post_by_age on post (blog_id, created_at, id);

create table idempotent_request (
  account_id text not null references account (id) on delete cascade,
  route text not null,
  key text not null,
  fingerprint text not null,
  created_at integer not null,
  answer text,
  primary key (account_id, route, key)
) strict, without rowid;

create index idempotent_request_by_age on idempotent_request (created_at);
