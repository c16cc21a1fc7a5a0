-- What was asked of the API and how it was answered: neither queries nor headers nor bodies. `key_id` names the key or
-- session that asked, `problem` the code of the refusal, `warnings` is a JSON list.
create table request_log (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  request_id text not null,
  method text not null,
  path text not null,
  route_set text,
  operation text,
  status integer not null,
  ms real not null,
  key_id text,
  problem text,
  warnings text not null,
  created_at integer not null
) strict;

create index request_log_by_age on request_log (account_id, created_at, id);
create index request_log_by_time on request_log (created_at);

-- Work that is due from time to time. A process that runs a job holds its lease, so that no other one does.
create table job (
  name text primary key,
  due_at integer not null,
  lease text,
  lease_until integer,
  last_started_at integer,
  last_ms integer,
  last_error text
) strict;
