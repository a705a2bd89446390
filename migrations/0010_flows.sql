-- Flows, their versions, and every run.

create table flow (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  is_on boolean not null default true,
  published_version_id uuid,
  first_published_at timestamptz,
  has_runs_to_end boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column flow.first_published_at is 'Flows beyond the plan''s number: the longest-published ones stay';
comment on column flow.has_runs_to_end is 'Deleted, and runs of it are still open: they are ended in batches';
create index flow_company on flow (company_id);
create index flow_with_runs_to_end on flow (deleted_at) where has_runs_to_end;
create index flow_on on flow (company_id, first_published_at, id)
  where deleted_at is null and is_on and published_version_id is not null;

-- No trigger tells of runs: they change too often for a page that would only read its list again.
create trigger flow_made after insert on flow
  referencing new table as made for each statement execute function note_made('flow');
create trigger flow_changed after update on flow
  referencing new table as after for each statement execute function note_changed_rows('flow');

create table flow_version (
  id uuid primary key,
  company_id uuid not null references company,
  flow_id uuid not null references flow,
  number integer not null,
  definition text not null,
  trigger_kind text not null,
  channel_id uuid references channel,
  published_at timestamptz,
  created_at timestamptz not null,
  unique (flow_id, number)
);
comment on column flow_version.definition is 'JSON text: contract/flow-definition';
alter table flow add foreign key (published_version_id) references flow_version;

create table flow_trigger (
  flow_version_id uuid not null references flow_version,
  company_id uuid not null references company,
  flow_id uuid not null references flow,
  channel_id uuid not null references channel,
  kind text not null,
  key text not null,
  phrase text not null,
  is_exact boolean not null,
  interrupts boolean not null,
  primary key (flow_version_id, key, phrase)
);
comment on table flow_trigger is 'What a customer''s message finds the published flows of its channel by, however many there are';
comment on column flow_trigger.key is 'By kind: the first word of a keyword, a template, or nothing';
comment on column flow_trigger.phrase is 'What of the message must be so, folded (rules/text/fold-text): a keyword, the label of a button';
comment on column flow_trigger.is_exact is 'The message must be only that';
comment on column flow_trigger.interrupts is 'It may end a run that waits for a reply';
create index flow_trigger_key on flow_trigger (channel_id, kind, key);
create index flow_trigger_flow on flow_trigger (flow_id);

create function refuse_change_of_published_version() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'flow version % is published and never changes', old.id;
  end if;
  return new;
end $$;
create trigger flow_version_is_immutable before update on flow_version
  for each row execute function refuse_change_of_published_version();

create table flow_run (
  id uuid primary key,
  company_id uuid not null,
  flow_id uuid not null,
  flow_version_id uuid not null,
  channel_id uuid not null,
  conversation_id text not null references conversation,
  contact_id uuid references contact,
  trigger_kind text not null,
  trigger_message_id text,
  idempotency_key text,
  created_at timestamptz not null,
  variables text not null default '{}',
  -- What an advance changes comes last, as in message.
  status text not null check (status in
    ('queued', 'running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled')),
  end_reason text,
  end_detail text,
  cancel_detail text,
  language text,
  step_id text,
  wait_kind text check (wait_kind in ('reply', 'time', 'sent')),
  waiting_since timestamptz,
  wait_until timestamptz,
  steps_since_wait integer not null default 0,
  waits integer not null default 0,
  wrong_answers smallint not null default 0,
  offered text,
  steps integer not null default 0,
  has_sent boolean not null default false,
  send_failures smallint not null default 0,
  failure_count smallint not null default 0,
  calls_since_reply smallint not null default 0,
  calls_since_reply_ms integer not null default 0,
  ended_at timestamptz,
  check ((status in ('completed', 'failed', 'skipped', 'cancelled')) = (ended_at is not null)),
  check ((status = 'waiting') = (wait_kind is not null)),
  check ((wait_kind is null) = (wait_until is null))
) with (fillfactor = 70);
comment on column flow_run.trigger_message_id is 'The customer''s message that started it: one message starts a flow once';
comment on column flow_run.idempotency_key is 'As the hook request named it, or the member''s browser for a start by hand: two spaces';
comment on column flow_run.end_detail is 'Why: a fact, as JSON text';
comment on column flow_run.cancel_detail is 'Why it is to be cancelled when it is next looked at: a fact, as JSON text';
comment on column flow_run.step_id is 'The step to do next, or the one that waits';
comment on column flow_run.variables is 'JSON text: strings or null by name';
comment on column flow_run.wait_kind is 'reply: for the customer; time: for nobody, until it is over; sent: for the outcome of a send whose answer was lost';
comment on column flow_run.wait_until is 'When a wait times out';
comment on column flow_run.wrong_answers is 'Times in a row that the customer''s message was no answer to the present question';
comment on column flow_run.offered is 'Free times that a step has offered last: JSON text';
comment on column flow_run.has_sent is 'A reply that comes while the run is at work is kept for it only after it has sent something';
comment on column flow_run.send_failures is 'Times in a row that the provider refused the present step for now';
comment on column flow_run.failure_count is 'Times in a row that its turn could not be taken, by a fault of ours';
comment on column flow_run.calls_since_reply is 'Calls made since the customer''s last message to this run; a repeated GET is one call';
comment on column flow_run.calls_since_reply_ms is 'Milliseconds that those calls took, repeats included';
create unique index flow_run_trigger_message on flow_run (trigger_message_id, flow_id)
  where trigger_message_id is not null;
-- The open runs of a flow are found by it too: they are few among all runs.
create index flow_run_open on flow_run (conversation_id, flow_id) where ended_at is null;
-- A page of a company is put together from its flows'.
create index flow_run_flow on flow_run (flow_id, id desc);
create index flow_run_contact on flow_run (contact_id, id desc) where contact_id is not null;
create unique index flow_run_hook_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind = 'webhook';
create unique index flow_run_member_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind <> 'webhook';

-- As a reference would, which locks the run for each message and needs an index: a message names no run that is gone.
create function forget_run() returns trigger language plpgsql as $$
begin
  update message set run_id = null where send_key >= old.id || ':' and send_key < old.id || ';';
  return null;
end $$;
create trigger flow_run_gone after delete on flow_run for each row execute function forget_run();

create table run_queue (
  id uuid primary key,
  company_id uuid not null,
  is_new boolean not null,
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  check ((claim_id is null) = (lease_expires_at is null))
) with (vacuum_truncate = off);
comment on table run_queue is 'Open runs that are due at some time or that a process has claimed. A run that waits for the outcome of its send is in it only once it is told';
comment on column run_queue.id is 'The run''s';
comment on column run_queue.is_new is 'The run is queued: it has not begun';
comment on column run_queue.due_at is 'When the run is due: at once while queued or answered, at its time-out while waiting';
-- As for delivery_queue.
insert into run_queue (id, company_id, is_new, due_at)
select gen_random_uuid(), gen_random_uuid(), true, now() from generate_series(1, 4000);
delete from run_queue;
create index run_queue_due on run_queue (due_at) where claim_id is null;
-- A claim takes companies in turn, so that one's thousands of new runs hold up no other's.
create index run_queue_new on run_queue (company_id, due_at) where is_new and claim_id is null;
create index run_queue_woken on run_queue (due_at) where not is_new and claim_id is null;
create index run_queue_claimed on run_queue (lease_expires_at) where claim_id is not null;

create table flow_run_reply (
  run_id uuid not null references flow_run on delete cascade,
  message_id text not null references message,
  company_id uuid not null references company,
  received_at timestamptz not null,
  consumed_at timestamptz,
  primary key (run_id, message_id)
);
comment on table flow_run_reply is 'A customer''s message meant for a run, kept until the run reads it';
create index flow_run_reply_message on flow_run_reply (message_id);

create table flow_run_step (
  run_id uuid not null references flow_run on delete cascade,
  number integer not null,
  company_id uuid not null,
  step_id text not null,
  kind text not null,
  status text not null check (status in ('started', 'done', 'failed', 'interrupted')),
  detail text,
  message_id text,
  call_attempts smallint,
  call text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (run_id, number)
) with (fillfactor = 70);
comment on column flow_run_step.detail is 'What happened: a fact, as JSON text';
comment on column flow_run_step.call_attempts is 'Of a call: the requests that were about to go out, written before each; 0 when none was';
comment on column flow_run_step.call is 'JSON text: contract/dashboard/run, RunCall; no credential, query, header or body';
