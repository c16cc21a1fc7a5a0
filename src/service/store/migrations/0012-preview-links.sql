-- Links that show a post that is not published. Only the hash of the token in the link is kept.
create table preview_link (
  hash text primary key,
  post_id text not null references post (id) on delete cascade,
  expires_at integer not null
) strict;

create index preview_link_by_post on preview_link (post_id);
create index preview_link_by_expiry on preview_link (expires_at);
