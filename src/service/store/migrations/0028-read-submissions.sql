-- Whether somebody has read what a visitor sent. What was there before isn't shown as new.
alter table submission add column read integer not null default 0 check (read in (0, 1));
update submission set read = 1;
create index submission_unread on submission (account_id, form_id) where read = 0 and spam = 0;
