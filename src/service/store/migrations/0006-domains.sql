-- A host name of an account's own. Several accounts may name the same one while none has proven that it holds it;
-- `held_at` is when that was proven first, and only one account can hold a domain at a time. `missing_since` is when the
-- proof of a held domain went away. `attempts` counts the checks while it is set up; `next_check_at` is null when it is
-- not looked at by itself any more.
create table domain (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  site_id text references site (id),
  redirect_to text,
  token text not null,
  status text not null check (status in ('pending', 'verified', 'active', 'failed')),
  error text,
  attempts integer not null,
  held_at integer,
  missing_since integer,
  last_checked_at integer,
  next_check_at integer,
  lease text,
  lease_until integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create unique index domain_of_account on domain (account_id, name);
create unique index domain_held on domain (name) where held_at is not null;
create index domain_by_age on domain (account_id, created_at, id);
create index domain_due on domain (next_check_at) where next_check_at is not null;
create index domain_by_site on domain (site_id);

-- The certificate of a domain, once there is one; a row without is an order that has not succeeded yet. The key lies
-- here and not in a file, so that every process on this database can serve it, and that it goes with the domain.
create table domain_certificate (
  domain_id text primary key references domain (id) on delete cascade,
  private_key text,
  chain text,
  issuer text,
  issued_at integer,
  expires_at integer,
  next_order_at integer not null,
  attempts integer not null,
  error text,
  lease text,
  lease_until integer
) strict;

-- What the certificate authority will ask the host of the pages for.
create table acme_challenge (
  token text primary key,
  domain_id text not null references domain (id) on delete cascade,
  answer text not null
) strict;

-- The account at a certificate authority, by the address of its directory.
create table acme_account (
  directory text primary key,
  private_key text not null,
  created_at integer not null
) strict;
