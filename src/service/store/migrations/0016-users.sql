-- The people who use an account. The first owner has no email address until somebody sets it.
create table account_user (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  name text not null,
  email text,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  created_at integer not null,
  last_sign_in_at integer,
  unique (account_id, email)
) strict;

create index account_user_by_age on account_user (account_id, created_at, id);

-- Whoever could sign in until now is the owner.
insert into account_user (id, account_id, name, email, role, created_at, last_sign_in_at)
select 'usr_' || substr(id, 5), id, 'Owner', null, 'owner', created_at, null from account;

alter table session add column user_id text references account_user (id) on delete cascade;
alter table sign_in_link add column user_id text references account_user (id) on delete cascade;
alter table oauth_grant add column user_id text references account_user (id) on delete cascade;
-- null: a key of the account itself, which may do all that its scopes say
alter table api_key add column user_id text references account_user (id) on delete cascade;

update session set user_id = 'usr_' || substr(account_id, 5);
update sign_in_link set user_id = 'usr_' || substr(account_id, 5);
update oauth_grant set user_id = 'usr_' || substr(account_id, 5);

create index session_by_user on session (user_id);
create index sign_in_link_by_user on sign_in_link (user_id);
create index oauth_grant_by_user on oauth_grant (user_id);
create index api_key_by_user on api_key (user_id);
