-- How many different rows a page or the account has taken of what it may have so many of in a day. A day without a row here is
-- counted once, by what it has.
create table day_room (
  day integer not null,
  scope text not null,
  counted text not null,
  taken integer not null,
  primary key (day, scope, counted)
) strict, without rowid;
