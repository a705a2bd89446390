-- What members watch of the assistant: a reply that begins, goes on or ends, its steps, and what they say of it.
-- A reply that only changes hands among processes has not changed for them.

create function note_changed_replies() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'reply', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.state, before.epoch) is distinct from (after.state, after.epoch);
  end if;
  return null;
end $$;
create trigger assistant_reply_made after insert on assistant_reply
  referencing new table as made for each statement execute function note_made('reply');
create trigger assistant_reply_changed after update on assistant_reply
  referencing old table as before new table as after
  for each statement execute function note_changed_replies();

-- For what belongs to a reply.
create function note_replies_of() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select distinct pg_current_xact_id()::text::bigint, came.company_id, 'reply', came.reply_id
    from came join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger assistant_step_made after insert on assistant_step
  referencing new table as came for each statement execute function note_replies_of();
create trigger assistant_step_changed after update on assistant_step
  referencing new table as came for each statement execute function note_replies_of();
create trigger reply_feedback_made after insert on reply_feedback
  referencing new table as came for each statement execute function note_replies_of();
create trigger reply_feedback_changed after update on reply_feedback
  referencing new table as came for each statement execute function note_replies_of();
