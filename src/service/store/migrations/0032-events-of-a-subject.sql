-- The newest events of one page. Without its order in the index, SQLite would rather read all events of the account, newest first.
drop index event_by_subject;
create index event_by_subject on event (account_id, subject, created_at, id);
