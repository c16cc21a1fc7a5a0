-- What distinguishes a person's signed-in browsers: its name and system, and the network address of the sign-in. Null
-- for sessions from before.
alter table session add column browser text;
alter table session add column address text;
