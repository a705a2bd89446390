-- The inbox: handovers, entries of conversations, canned replies and bulk closes.

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
  reply_id uuid references assistant_reply on delete set null,
  detail text,
  check ((closed_at is null) = (closed_how is null))
);
comment on column handover.reason_text is 'A text for people by the assistant or the flow, at most 1,000 characters';
comment on column handover.run_id is 'The run that handed over';
comment on column handover.closed_by is 'The member who closed it; null for the service and for a flow';
comment on column handover.detail is 'The cause of an automatic handover whose reason does not show it, such as model_unavailable';
create unique index handover_open on handover (conversation_id) where closed_at is null;
create index handover_of_conversation on handover (conversation_id, opened_at);
create index handover_run on handover (run_id) where run_id is not null;
create index handover_reply on handover (reply_id) where reply_id is not null;
create trigger handover_made after insert on handover
  referencing new table as made for each statement execute function note_made('handover');
create trigger handover_changed after update on handover
  referencing new table as after for each statement execute function note_changed_rows('handover');

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
  edited_at timestamptz,
  joined_from text,
  arrival bigint not null default nextval('line_arrival')
);
comment on table conversation_entry is 'Entries of a conversation that are no messages and never sent: notes, and actions on the conversation';
comment on column conversation_entry.actor_id is 'The person id of the member, or the id of the flow''s run';
comment on column conversation_entry.data is 'The data of its kind, which the service writes';
comment on column conversation_entry.joined_from is 'The conversation in which the action was made, if that one was joined to this one';
comment on column conversation_entry.arrival is 'The position in the order in which messages and entries were inserted, which orders those of the same time';
create index conversation_entry_line on conversation_entry (conversation_id, at desc, arrival desc);

create table canned_reply (
  id uuid primary key,
  company_id uuid not null references company,
  shortcut text not null,
  text text not null,
  language text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by uuid references person on delete set null
);
comment on column canned_reply.created_by is 'The member who created the reply; null after the membership has ended';
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
comment on table close_job is 'Paged jobs that resolve every conversation that a filter matches';
comment on column close_job.before is 'The time from which a message keeps its conversation open';
comment on column close_job.position is 'The last conversation that was processed';
comment on column close_job.due_at is 'The time of the next page';
create index close_job_list on close_job (company_id, id desc);
create index close_job_due on close_job (due_at) where due_at is not null;
create index close_job_ended on close_job (ended_at) where ended_at is not null;
