-- Providers tell whole seconds, and one batch is written at one time: within a time, the order of arrival decides.
create sequence line_arrival;

alter table message add column arrival bigint;
alter table conversation_entry add column arrival bigint;
with line as (
  select id, occurred_at, created_at from message
  union all select id::text, at, at from conversation_entry
), placed as (
  select id, row_number() over (order by created_at, occurred_at, id) as arrival from line
), messages as (
  update message set arrival = placed.arrival from placed where placed.id = message.id
)
update conversation_entry set arrival = placed.arrival from placed
where placed.id = conversation_entry.id::text;
select setval('line_arrival', greatest(
  (select max(arrival) from message), (select max(arrival) from conversation_entry), 0) + 1, false);

alter table message alter column arrival set default nextval('line_arrival'), alter column arrival set not null;
alter table conversation_entry alter column arrival set default nextval('line_arrival'),
  alter column arrival set not null;
comment on column message.arrival is
  'Its place in the order in which messages and entries were written: decides between those of one time';
comment on column conversation_entry.arrival is
  'Its place in the order in which messages and entries were written: decides between those of one time';

drop index conversation_entry_line;
create index conversation_entry_line on conversation_entry (conversation_id, at desc, arrival desc);
