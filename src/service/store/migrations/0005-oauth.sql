-- Programs that registered themselves. `metadata` is JSON as in RFC 7591, with the SHA-256 of a secret in its place.
create table oauth_client (
  id text primary key,
  metadata text not null,
  created_at integer not null,
  -- null: a person has let the program in, so that it is kept
  expires_at integer
) strict;

create index oauth_client_expires on oauth_client (expires_at);

-- What a person allowed a program to do. Deleting the row takes everything back.
create table oauth_grant (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  -- JSON list
  scopes text not null,
  -- the addresses that its tokens are good for, a JSON list
  resources text not null,
  payload text not null,
  created_at integer not null,
  expires_at integer not null,
  last_used_at integer
) strict;

create index oauth_grant_account on oauth_grant (account_id, created_at);
create index oauth_grant_expires on oauth_grant (expires_at);

-- Codes, tokens and consent forms by the SHA-256 of their text, which is nowhere stored.
create table oauth_token (
  hash text primary key,
  kind text not null,
  grant_id text references oauth_grant (id) on delete cascade,
  payload text not null,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;

create index oauth_token_grant on oauth_token (grant_id);
create index oauth_token_expires on oauth_token (expires_at);
