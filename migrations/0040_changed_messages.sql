alter table message
  add column earlier_texts jsonb not null default '[]',
  add column deleted_at timestamptz,
  add column reaction text;
comment on column message.earlier_texts is
  'What it said before each edit, oldest first: text, and until when it said so';
comment on column message.deleted_at is 'When whoever wrote it deleted it at the provider';
comment on column message.reaction is 'The emoji that the customer has put on it';

create or replace function note_changed_messages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'message', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.status, before.due_at, before.text, before.transcript, before.deleted_at, before.reaction)
      is distinct from
      (after.status, after.due_at, after.text, after.transcript, after.deleted_at, after.reaction);
  end if;
  return null;
end $$;
