-- Which links are invitations: a new one replaces them, and so does signing in. Links from before may be either; those
-- that aren't end within minutes.
alter table sign_in_link add column invitation integer not null default 0 check (invitation in (0, 1));
update sign_in_link set invitation = 1;
