-- The inbox: handovers, what happened in a conversation beside its messages, ready texts, bulk closes.

create table handover (
  id uuid primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  reason text not null,
  reason_text text,
  run_id uuid references flow_run on delete set null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_how text check (closed_how in ('returned', 'resolved')),
  closed_by uuid references person,
  check ((closed_at is null) = (closed_how is null))
);
comment on column handover.reason_text is 'For people: the assistant''s or the flow''s own words, at most 1,000 characters';
comment on column handover.run_id is 'The run that handed over';
comment on column handover.closed_by is 'Null for the service and for a flow';
create unique index handover_open on handover (conversation_id) where closed_at is null;
create index handover_of_conversation on handover (conversation_id, opened_at);
create index handover_run on handover (run_id) where run_id is not null;

create table conversation_entry (
  id uuid primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  kind text not null,
  actor_kind text not null
    check (actor_kind in ('member', 'flow', 'assistant', 'owner_app', 'service')),
  actor_id uuid,
  text text,
  data jsonb not null default '{}',
  at timestamptz not null,
  edited_at timestamptz
);
comment on table conversation_entry is 'A line of a conversation that is no message: notes, and what was done with it. Never sent';
comment on column conversation_entry.actor_id is 'Of a member the person, of a flow the run';
comment on column conversation_entry.data is 'What belongs to its kind, made by the service';
create index conversation_entry_line on conversation_entry (conversation_id, at desc, id desc);

create table canned_reply (
  id uuid primary key,
  company_id uuid not null references company,
  shortcut text not null,
  text text not null,
  language text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index canned_reply_shortcut on canned_reply (company_id, lower(shortcut));

create table close_job (
  id uuid primary key,
  company_id uuid not null references company,
  account_id uuid not null references account,
  started_by uuid not null references person,
  filter jsonb not null,
  state text not null check (state in ('running', 'done', 'cancelled')),
  before timestamptz not null,
  position text not null default '',
  looked_at integer not null default 0,
  closed integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'running') = (due_at is not null)),
  check ((state = 'running') = (ended_at is null))
);
comment on table close_job is 'Resolves every conversation that a filter finds, page by page';
comment on column close_job.before is 'A conversation with a message of that time or later is left open';
comment on column close_job.position is 'The last conversation that it looked at';
comment on column close_job.due_at is 'When its next page may be taken';
create index close_job_list on close_job (company_id, id desc);
create index close_job_due on close_job (due_at) where due_at is not null;
create index close_job_ended on close_job (ended_at) where ended_at is not null;

-- What members watch. A message that only changes hands among processes has not changed for them.

create function note_changed_messages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'message', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.status, before.due_at, before.text)
      is distinct from (after.status, after.due_at, after.text);
  end if;
  return null;
end $$;
create trigger conversation_made after insert on conversation
  referencing new table as made for each statement execute function note_made('conversation');
create trigger conversation_changed after update on conversation
  referencing new table as after for each statement execute function note_changed_rows('conversation');
create trigger handover_made after insert on handover
  referencing new table as made for each statement execute function note_made('handover');
create trigger handover_changed after update on handover
  referencing new table as after for each statement execute function note_changed_rows('handover');
create trigger message_made after insert on message
  referencing new table as made for each statement execute function note_made('message');
create trigger message_changed after update on message
  referencing old table as before new table as after
  for each statement execute function note_changed_messages();
