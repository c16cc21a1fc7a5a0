-- Where a site stands on its own host, such as /docs; null for the root.
alter table site add column base_path text;
