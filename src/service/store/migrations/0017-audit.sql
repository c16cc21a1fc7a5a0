-- Who did what that matters for security. Names are those of the time: an entry outlives whom it is about.
create table audit_entry (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  action text not null,
  actor text not null,
  actor_id text,
  subject text,
  subject_id text,
  detail text,
  address text,
  created_at integer not null
) strict;

create index audit_entry_by_age on audit_entry (account_id, created_at, id);
create index audit_entry_by_time on audit_entry (created_at);
