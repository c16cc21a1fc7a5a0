-- Browsers that are signed in. Only the hash of what the browser holds is kept.
create table session (
  hash text primary key,
  account_id text not null references account (id) on delete cascade,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null
) strict;

create index session_by_expiry on session (expires_at);

-- Links that sign in once. Using one deletes it.
create table sign_in_link (
  hash text primary key,
  account_id text not null references account (id) on delete cascade,
  expires_at integer not null
) strict;
