-- A BCP 47 tag; null for the language of the blog's site.
alter table blog add column language text;
