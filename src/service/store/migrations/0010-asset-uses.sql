-- Which library files each record names, beside those of pages in `page_asset`.
create table post_asset (
  post_id text not null references post (id) on delete cascade,
  asset_id text not null references asset (id) on delete cascade,
  primary key (post_id, asset_id)
) strict, without rowid;

create index post_asset_by_asset on post_asset (asset_id);

create table blog_asset (
  blog_id text not null references blog (id) on delete cascade,
  asset_id text not null references asset (id) on delete cascade,
  primary key (blog_id, asset_id)
) strict, without rowid;

create index blog_asset_by_asset on blog_asset (asset_id);

create table brand_kit_asset (
  brand_kit_id text not null references brand_kit (id) on delete cascade,
  asset_id text not null references asset (id) on delete cascade,
  primary key (brand_kit_id, asset_id)
) strict, without rowid;

create index brand_kit_asset_by_asset on brand_kit_asset (asset_id);

-- A style sheet, script or drawing of the library that names another file of it.
create table file_asset (
  file_id text not null references asset (id) on delete cascade,
  asset_id text not null references asset (id) on delete cascade,
  primary key (file_id, asset_id)
) strict, without rowid;

create index file_asset_by_asset on file_asset (asset_id);

-- Records that were written before their uses of files were noted. Each is read once, after the start.
create table unread_text (
  kind text not null,
  id text not null,
  primary key (kind, id)
) strict, without rowid;

insert into unread_text (kind, id) select 'post', id from post;
insert into unread_text (kind, id) select 'blog', id from blog where description is not null;
insert into unread_text (kind, id) select 'brand-kit', id from brand_kit;
insert into unread_text (kind, id) select 'page', id from page;
insert into unread_text (kind, id) select 'file', id from asset
where content_type not like 'video/%' and content_type not like 'audio/%' and content_type not like 'font/%'
and (content_type not like 'image/%' or content_type = 'image/svg+xml');
