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
  reply_id uuid references assistant_reply on delete set null,
  detail text,
  check ((closed_at is null) = (closed_how is null))
);
comment on column handover.reason_text is 'For people: the assistant''s or the flow''s own words, at most 1,000 characters';
comment on column handover.run_id is 'The run that handed over';
comment on column handover.closed_by is 'Null for the service and for a flow';
comment on column handover.detail is 'Why code handed over where the reason says less, such as model_unavailable';
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
comment on table conversation_entry is 'A line of a conversation that is no message: notes, and what was done with it. Never sent';
comment on column conversation_entry.actor_id is 'The member''s person id, or the id of the flow''s run';
comment on column conversation_entry.data is 'What belongs to its kind, made by the service';
comment on column conversation_entry.joined_from is 'The conversation in which it was done, where that was joined to this one';
comment on column conversation_entry.arrival is 'Its place in the order in which messages and entries were written: decides between those of one time';
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
comment on column canned_reply.created_by is 'The member who made it; null once they are gone';
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
