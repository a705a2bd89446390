-- Flows, their versions and runs.

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
comment on column flow.first_published_at is 'The time of the first publication; of the flows beyond the plan''s number the earliest published ones stay active';
comment on column flow.has_runs_to_end is 'True when the flow is deleted and still has open runs, which are ended in batches';
create index flow_company on flow (company_id);
create index flow_with_runs_to_end on flow (deleted_at) where has_runs_to_end;
create index flow_on on flow (company_id, first_published_at, id)
  where deleted_at is null and is_on and published_version_id is not null;

-- No trigger records changes of runs: they change too often, and a page would only read its list again.
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
comment on column flow_version.definition is 'JSON text (contract/flow-definition)';
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
comment on table flow_trigger is 'The index by which a customer''s message finds the published flows of its channel, however many there are';
comment on column flow_trigger.key is 'The key by kind: the first word of a keyword, a template, or empty';
comment on column flow_trigger.phrase is 'The text that the message must contain, folded (rules/text/fold-text): a keyword, or the label of a button';
comment on column flow_trigger.is_exact is 'True when the message must contain nothing else';
comment on column flow_trigger.interrupts is 'True when the flow may end a run that waits for a reply';
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
  -- As in message, the columns that an advance changes come last.
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
comment on column flow_run.trigger_message_id is 'The customer''s message that started the run; a message starts a flow once';
comment on column flow_run.idempotency_key is 'The key of the hook request, or of the member''s browser for a manual start, in separate namespaces';
comment on column flow_run.end_detail is 'The reason of the end: a fact, as JSON text';
comment on column flow_run.cancel_detail is 'The reason why the next advance cancels the run: a fact, as JSON text';
comment on column flow_run.step_id is 'The next step, or the one that waits';
comment on column flow_run.variables is 'JSON text: the values by name, each a string or null';
comment on column flow_run.wait_kind is 'The kind of the wait: for a reply of the customer, for a time, or for the outcome of a send whose response was lost (sent)';
comment on column flow_run.wait_until is 'The time when the wait times out';
comment on column flow_run.wrong_answers is 'The number of consecutive messages that did not answer the present question';
comment on column flow_run.offered is 'JSON text: the free times that a step offered last';
comment on column flow_run.has_sent is 'True once the run has sent a message; only then is a reply that arrives during an advance stored for the run';
comment on column flow_run.send_failures is 'The number of consecutive temporary refusals of the present step by the provider';
comment on column flow_run.failure_count is 'The number of consecutive advances that failed by an error of the service';
comment on column flow_run.calls_since_reply is 'The number of calls since the customer''s last message to the run; a retried GET counts once';
comment on column flow_run.calls_since_reply_ms is 'The duration of those calls in milliseconds, including retries';
create unique index flow_run_trigger_message on flow_run (trigger_message_id, flow_id)
  where trigger_message_id is not null;
-- This index also finds the open runs of a flow, which are few among all runs.
create index flow_run_open on flow_run (conversation_id, flow_id) where ended_at is null;
-- A page of a company is merged from those of its flows.
create index flow_run_flow on flow_run (flow_id, id desc);
create index flow_run_contact on flow_run (contact_id, id desc) where contact_id is not null;
create unique index flow_run_hook_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind = 'webhook';
create unique index flow_run_member_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind <> 'webhook';

-- Does what a foreign key with `on delete set null` would do, without its lock on the run for each message and without
-- its index.
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
comment on table run_queue is 'Open runs that have a due time or are claimed. A run that waits for the outcome of its send is inserted once the outcome is known';
comment on column run_queue.id is 'The id of the run';
comment on column run_queue.is_new is 'True while the run is queued and has not begun';
comment on column run_queue.due_at is 'The time when the run is due: immediately if queued or answered, at the timeout if waiting';
-- The reason is that of delivery_queue.
insert into run_queue (id, company_id, is_new, due_at)
select gen_random_uuid(), gen_random_uuid(), true, now() from generate_series(1, 4000);
delete from run_queue;
create index run_queue_due on run_queue (due_at) where claim_id is null;
-- A claim takes companies round-robin, so that thousands of new runs of one company delay no other.
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
comment on table flow_run_reply is 'Messages of customers for a run, stored until the run reads them';
create index flow_run_reply_message on flow_run_reply (message_id);

create table flow_run_step (
  run_id uuid not null references flow_run on delete cascade,
  number integer not null,
  company_id uuid not null,
  step_id text not null,
  kind text not null,
  message_id text,
  started_at timestamptz not null,
  call_attempts smallint,
  call text,
  status text not null check (status in ('started', 'done', 'failed', 'interrupted')),
  detail text,
  ended_at timestamptz,
  primary key (run_id, number)
) with (fillfactor = 70);
comment on column flow_run_step.detail is 'The outcome of the step: a fact, as JSON text';
comment on column flow_run_step.call_attempts is 'The number of requests of a call, written before each is made; 0 without any';
comment on column flow_run_step.call is 'JSON text (contract/dashboard/run, RunCall), without credential, query, headers and body';
