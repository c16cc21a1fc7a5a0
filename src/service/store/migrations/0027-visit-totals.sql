-- Visits by day of a page, a form, a site and the account, whatever they have in common: so that what isn't filtered reads a row
-- a day.
create table visit_total (
  scope text not null,
  day integer not null,
  views integer not null,
  visits integer not null,
  entries integer not null,
  exits integer not null,
  bounces integer not null,
  primary key (scope, day)
) strict, without rowid;

-- Visits of a site and the account by each of what they have in common.
create table visit_trait (
  scope text not null,
  day integer not null,
  trait text not null,
  value text not null,
  visits integer not null,
  primary key (scope, day, trait, value)
) strict, without rowid;

-- Days whose visits are in neither yet. They are added a few at a time, after the start.
create table unsummed_visit (
  scope text not null,
  day integer not null,
  primary key (scope, day)
) strict, without rowid;

insert into unsummed_visit (scope, day) select distinct scope, day from visit_day;
