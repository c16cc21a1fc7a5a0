-- The overview shows the newest of all forms; without this all submissions of the account were read and sorted for it.
create index submission_by_age on submission (account_id, created_at, id);
