-- A form on a page. It belongs to the address of the page and not to the page itself, so that what was sent through it
-- outlives both: `open` is 0 once the published page holds the form no more. `action_slug` is the page that it posts to.
create table form (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  page_id text not null,
  page_slug text not null,
  action_slug text not null,
  name text not null,
  position integer not null,
  fields text not null,
  honeypot text,
  open integer not null check (open in (0, 1)),
  created_at integer not null,
  unique (account_id, page_slug, name)
) strict;

create index form_by_age on form (account_id, created_at, id);
create index form_by_action on form (account_id, action_slug);

-- `email` is in lower case. `lead` is 1 where it came for the first time.
create table submission (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  form_id text not null references form (id) on delete cascade,
  page_id text not null,
  page_slug text not null,
  fields text not null,
  email text,
  lead integer not null check (lead in (0, 1)),
  spam integer not null check (spam in (0, 1)),
  created_at integer not null
) strict;

create index submission_by_form on submission (form_id, created_at, id);
create index submission_by_slug on submission (account_id, page_slug, created_at, id);
create index submission_by_page on submission (page_id, created_at);
create index submission_by_email on submission (account_id, email) where email is not null;

-- What makes visitors of one day countable. The row goes after two days, and with it the last way to recompute them.
create table visitor_salt (
  day integer primary key,
  salt blob not null
) strict;

-- Who was there on a day that is not over: `scope` is a page, a site or the account, `hour` when it was first seen.
create table visitor_seen (
  scope text not null,
  day integer not null,
  visitor blob not null,
  hour integer not null,
  primary key (scope, day, visitor)
) strict, without rowid;

create index visitor_seen_by_day on visitor_seen (day);

-- How many there were, of the days that are over.
create table visitor_count (
  scope text not null,
  hour integer not null,
  visitors integer not null,
  primary key (scope, hour)
) strict, without rowid;

-- A view that may still report how far and how long it was read; goes after a day.
create table open_view (
  id text primary key,
  page_id text not null references page (id) on delete cascade,
  version integer not null,
  device text not null,
  hour integer not null,
  depth integer,
  seconds integer not null,
  clicks integer not null,
  last_message integer not null
) strict;

create index open_view_by_page on open_view (page_id);
create index open_view_by_hour on open_view (hour);

-- `reads` are the views that reported how they were read; `seconds` and `depth` are sums over them.
create table view_hour (
  page_id text not null references page (id) on delete cascade,
  version integer not null,
  hour integer not null,
  device text not null,
  views integer not null,
  reads integer not null,
  seconds integer not null,
  depth integer not null,
  clicks integer not null,
  primary key (page_id, hour, version, device)
) strict, without rowid;

create table referrer_day (
  page_id text not null references page (id) on delete cascade,
  day integer not null,
  host text not null,
  views integer not null,
  primary key (page_id, day, host)
) strict, without rowid;

create table scroll_day (
  page_id text not null references page (id) on delete cascade,
  day integer not null,
  version integer not null,
  device text not null,
  depth integer not null,
  views integer not null,
  primary key (page_id, day, version, device, depth)
) strict, without rowid;

-- Cells are 16 thousandths of the width and 16 pixels of the height.
create table click_cell_day (
  page_id text not null references page (id) on delete cascade,
  day integer not null,
  version integer not null,
  device text not null,
  cell_x integer not null,
  cell_y integer not null,
  clicks integer not null,
  primary key (page_id, day, version, device, cell_x, cell_y)
) strict, without rowid;

create table click_element_day (
  page_id text not null references page (id) on delete cascade,
  day integer not null,
  version integer not null,
  device text not null,
  selector text not null,
  clicks integer not null,
  primary key (page_id, day, version, device, selector)
) strict, without rowid;

create table page_layout (
  page_id text not null references page (id) on delete cascade,
  version integer not null,
  device text not null,
  height integer not null,
  primary key (page_id, version, device)
) strict, without rowid;
