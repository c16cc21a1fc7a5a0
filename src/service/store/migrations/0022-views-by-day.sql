-- Views by day of a site and of the account, whose pages would be too many to sum up whenever somebody looks: `scope` is the
-- id of one of them.
create table view_day (
  scope text not null,
  day integer not null,
  device text not null,
  views integer not null,
  primary key (scope, day, device)
) strict, without rowid;

-- The same by the host that they came from.
create table source_day (
  scope text not null,
  day integer not null,
  host text not null,
  views integer not null,
  primary key (scope, day, host)
) strict, without rowid;

-- Pages whose views are not in these sums yet. They are added a few pages at a time, after the start.
create table uncounted_page (
  page_id text primary key references page (id) on delete cascade
) strict, without rowid;

insert into uncounted_page (page_id) select id from page;
