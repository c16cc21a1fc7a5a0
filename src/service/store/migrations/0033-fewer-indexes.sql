-- SQLite writes each index with each row. Those of an account's rows by age say the same as those by time, and a page that never
-- was in a release has its HTML in `page_html`, so that nothing looks for it by its hash.
drop index event_by_time;
drop index request_log_by_time;
drop index page_by_content;
create index page_by_content on page (account_id, content_hash) where release_version is not null;
