-- How much of a day is summed up: a day of many kinds of visits takes longer than anybody should wait, so its total comes first and
-- then each of what they have in common.
alter table unsummed_visit add column summed integer not null default 0;
