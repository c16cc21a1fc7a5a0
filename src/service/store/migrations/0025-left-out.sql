-- Views that were not counted, and why. `site_id` is empty for pages of no site.
create table left_out_day (
  account_id text not null references account (id) on delete cascade,
  site_id text not null,
  day integer not null,
  reason text not null,
  views integer not null,
  primary key (account_id, day, site_id, reason)
) strict, without rowid;

-- A hash of the session, the address and the browser that used it last: its own views are not counted.
alter table session add column place text;
