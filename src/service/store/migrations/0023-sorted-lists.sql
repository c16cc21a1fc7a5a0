-- What a list is sorted by, so that its first page is read and not the whole list.
create index page_by_change on page (account_id, updated_at, id);
create index page_by_title on page (account_id, lower(title), id);
create index asset_by_name on asset (account_id, lower(name), id);
create index asset_by_size on asset (account_id, size, id);
create index post_by_change on post (blog_id, updated_at, id);
-- Also what posts are searched by, so that a search never reads past their texts. Tags may be longer than PostgreSQL indexes.
-- postgres: create index post_by_title on post (blog_id, lower(title), id, slug);
-- sqlite:
create index post_by_title on post (blog_id, lower(title), id, slug, tags);
