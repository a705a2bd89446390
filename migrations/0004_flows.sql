-- Flows, their versions, the hooks that start them, and every run.

create table flow (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  is_on boolean not null default true,
  published_version_id uuid,
  first_published_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column flow.first_published_at is 'Flows beyond the plan''s number: the longest-published ones stay';
create index flow_company on flow (company_id) where deleted_at is null;

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

create function refuse_change_of_published_version() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'flow version % is published and never changes', old.id;
  end if;
  return new;
end $$;
create trigger flow_version_is_immutable before update on flow_version
  for each row execute function refuse_change_of_published_version();

create table hook_url (
  id uuid primary key,
  company_id uuid not null references company,
  flow_id uuid not null unique references flow,
  token_hash bytea not null unique,
  token_last_four text not null,
  created_at timestamptz not null,
  replaced_at timestamptz
);
comment on column hook_url.token_hash is 'SHA-256 of the whole token; the token itself is shown once';

create table flow_run (
  id uuid primary key,
  company_id uuid not null references company,
  flow_id uuid not null references flow,
  flow_version_id uuid not null references flow_version,
  channel_id uuid not null references channel,
  conversation_id text not null references conversation,
  contact_id uuid references contact,
  trigger_kind text not null,
  idempotency_key text,
  status text not null check (status in
    ('queued', 'running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled')),
  end_reason text,
  end_detail text,
  language text,
  step_id text,
  variables text not null default '{}',
  wait_kind text check (wait_kind in ('reply', 'sent')),
  waiting_since timestamptz,
  wait_until timestamptz,
  wake_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  steps_since_wait integer not null default 0,
  waits integer not null default 0,
  steps integer not null default 0,
  has_sent boolean not null default false,
  send_failures smallint not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((status in ('completed', 'failed', 'skipped', 'cancelled')) = (ended_at is not null)),
  check ((status = 'waiting') = (wait_kind is not null)),
  check ((wait_kind is null) = (wait_until is null)),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 70);
comment on column flow_run.step_id is 'The step to do next, or the one that waits';
comment on column flow_run.variables is 'JSON text: strings or null by name';
comment on column flow_run.wait_kind is 'reply: for the customer; sent: for the outcome of a send whose answer was lost';
comment on column flow_run.wait_until is 'When a wait times out';
comment on column flow_run.wake_at is 'When the run is due: at once while queued or answered, at its time-out while waiting';
comment on column flow_run.has_sent is 'A reply that comes while the run is at work is kept for it only after it has sent something';
comment on column flow_run.send_failures is 'Times in a row that the provider refused the present step for now';
comment on column flow_run.end_detail is 'Why, for people';
create unique index flow_run_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null;
create index flow_run_due on flow_run (wake_at)
  where status in ('queued', 'running', 'waiting') and claim_id is null;
create index flow_run_claimed on flow_run (claimed_until) where claim_id is not null;
create index flow_run_active on flow_run (conversation_id)
  where status in ('queued', 'running', 'waiting');
create index flow_run_active_of_contact on flow_run (contact_id)
  where status in ('queued', 'running', 'waiting');
create index flow_run_list on flow_run (company_id, id desc);

create table message (
  id text primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  channel_id uuid not null references channel,
  direction text not null check (direction in ('in', 'out')),
  sender text not null check (sender in ('customer', 'flow', 'assistant', 'staff', 'owner_app')),
  type text not null,
  text text,
  media text,
  template_name text,
  template_language text,
  provider_message_id text,
  reply_to_provider_id text,
  button_payload text,
  run_id uuid references flow_run on delete set null,
  send_key text unique,
  status text,
  error_code text,
  error_detail text,
  is_imported boolean not null default false,
  occurred_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null,
  unique (channel_id, provider_message_id),
  check ((direction = 'out') = (status is not null))
);
comment on column message.send_key is 'Run and step number: one step of one run never writes two messages';
comment on column message.status is 'Of a sent message: sending, unknown, accepted, sent, delivered, read, failed';
comment on column message.occurred_at is 'When the provider says it was written, or when we wrote it';
comment on column message.is_imported is 'History that came with a coexistence number: raises nothing';
create index message_conversation on message (conversation_id, occurred_at desc);
create index message_run on message (run_id) where run_id is not null;

create table flow_run_reply (
  run_id uuid not null references flow_run on delete cascade,
  message_id text not null references message,
  company_id uuid not null references company,
  received_at timestamptz not null,
  consumed_at timestamptz,
  primary key (run_id, message_id)
);
comment on table flow_run_reply is 'A customer''s message meant for a run, kept until the run reads it';

create table flow_run_step (
  run_id uuid not null references flow_run on delete cascade,
  number integer not null,
  company_id uuid not null references company,
  step_id text not null,
  kind text not null,
  status text not null check (status in ('started', 'done', 'failed', 'interrupted')),
  detail text,
  message_id text references message,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (run_id, number)
);
comment on column flow_run_step.detail is 'What happened, for people';
