-- What somebody has written and not saved yet, one for each person and subject: a post, a new post of a blog, or a file of
-- the project. `base` is the version that it was begun with.
create table working_copy (
  account_id text not null references account (id) on delete cascade,
  subject text not null,
  user_id text not null references account_user (id) on delete cascade,
  base text not null,
  fields text not null,
  saved_at integer not null,
  primary key (account_id, subject, user_id)
) strict;

create index working_copy_by_time on working_copy (saved_at);

-- Versions that another one has replaced.
create table former_version (
  account_id text not null references account (id) on delete cascade,
  subject text not null,
  version text not null,
  fields text not null,
  saved_by text,
  saved_at integer not null,
  primary key (account_id, subject, version)
) strict;

-- Who saved the version that a post has now; null for programs.
alter table post add column saved_by text;
