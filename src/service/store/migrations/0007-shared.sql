-- How many requests a key or an address has sent in the window that ends at `ends_at`.
create table rate_window (
  caller text primary key,
  ends_at integer not null,
  requests integer not null
) strict;

create index rate_window_by_end on rate_window (ends_at);

-- Counts of a minute need not survive a crash of the database, and would otherwise make it flush its log for each request.
-- postgres: alter table rate_window set unlogged;
