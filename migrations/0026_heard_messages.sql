-- Whoever watches a conversation sees what a voice note was heard to say.

create or replace function note_changed_messages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'message', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.status, before.due_at, before.text, before.transcript)
      is distinct from (after.status, after.due_at, after.text, after.transcript);
  end if;
  return null;
end $$;
