-- What somebody writes about one subject in several windows is kept for each of them.
alter table working_copy rename to single_working_copy;
-- postgres: alter table single_working_copy rename constraint working_copy_pkey to single_working_copy_pkey;
drop index working_copy_by_time;

create table working_copy (
  account_id text not null references account (id) on delete cascade,
  subject text not null,
  user_id text not null references account_user (id) on delete cascade,
  copy_id text not null,
  base text not null,
  fields text not null,
  saved_at integer not null,
  primary key (account_id, subject, user_id, copy_id)
) strict;

insert into working_copy (account_id, subject, user_id, copy_id, base, fields, saved_at)
select account_id, subject, user_id, 'first', base, fields, saved_at from single_working_copy;

drop table single_working_copy;
create index working_copy_by_time on working_copy (saved_at);
