-- The records that the kept answer of a request names. The answer is forgotten with any of them: sent again, it would
-- name a record that is gone.
create table idempotent_record (
  record_id text not null,
  account_id text not null,
  route text not null,
  key text not null,
  primary key (record_id, account_id, route, key),
  foreign key (account_id, route, key) references idempotent_request (account_id, route, key) on delete cascade
) strict, without rowid;

create index idempotent_record_by_request on idempotent_record (account_id, route, key);

-- sqlite:
insert or ignore into idempotent_record (record_id, account_id, route, key)
select part.value, request.account_id, request.route, request.key
from idempotent_request as request, json_tree(
  case when json_valid(json_extract(request.answer, '$.body')) then json_extract(request.answer, '$.body') else 'null' end
) as part
where part.type = 'text' and length(part.value) between 25 and 29 and part.value glob '[a-z][a-z]*_*';

-- postgres: insert into idempotent_record (record_id, account_id, route, key) select distinct part[1], account_id, route, key from idempotent_request, regexp_matches(answer, '\\"([a-z]{2,6}_[0-9A-Za-z]{22})\\"', 'g') as part;
