-- How often the records of a kind were written, deletions included, and when that was last. A client that remembers both
-- knows whether what it remembers of the records is still so. Counted in the transaction of the write itself.
create table record_change (
  account_id text not null references account (id) on delete cascade,
  kind text not null,
  changes integer not null,
  latest_at integer not null,
  primary key (account_id, kind)
) strict, without rowid;
