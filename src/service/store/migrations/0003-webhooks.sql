-- What happened, in the order in which it was committed. `subject` is the id of the record that it is about.
create table event (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  type text not null,
  subject text not null,
  data text not null,
  created_at integer not null
) strict;

create index event_by_age on event (account_id, created_at, id);
create index event_by_time on event (created_at);
create index event_by_subject on event (account_id, subject);

-- The secret signs what is sent, so it is stored as it is. `disabled_reason` is null while the webhook is on.
create table webhook (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  url text not null,
  description text,
  events text not null,
  secret text not null,
  old_secret text,
  old_secret_until integer,
  disabled_reason text check (disabled_reason in ('switched-off', 'gone', 'failing')),
  failing_since integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create index webhook_by_age on webhook (account_id, created_at, id);

-- One message to one webhook; its id is the `webhook-id` that the receiver sees. `event_id` is null for a test.
create table delivery (
  id text primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  event_id text references event (id) on delete cascade,
  type text not null,
  payload text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  next_attempt_at integer not null,
  lease text,
  lease_until integer,
  created_at integer not null,
  finished_at integer,
  last_status integer,
  last_ms integer,
  last_error text,
  last_answer text,
  last_attempt_at integer
) strict;

create index delivery_due on delivery (webhook_id, next_attempt_at) where status = 'pending';
create index delivery_by_age on delivery (webhook_id, created_at, id);
create index delivery_by_event on delivery (event_id);
create index delivery_finished on delivery (finished_at) where finished_at is not null;
