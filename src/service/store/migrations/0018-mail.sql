-- Whether a user gets a mail for every submission.
alter table account_user add column form_mails integer not null default 0 check (form_mails in (0, 1));

-- Mails that wait or were sent. Their text is made when they are sent, so that no link and nothing of a visitor is kept.
-- `subject_id` is the submission, or the path that a sign-in leads to.
create table mail (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  user_id text not null references account_user (id) on delete cascade,
  kind text not null check (kind in ('sign-in', 'invitation', 'submission')),
  subject_id text,
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null,
  due_at integer not null,
  lease text,
  lease_until integer,
  created_at integer not null,
  finished_at integer,
  last_error text
) strict;

create index mail_due on mail (due_at) where status = 'pending';
create index mail_by_user on mail (user_id);
create index mail_finished on mail (finished_at) where finished_at is not null;
