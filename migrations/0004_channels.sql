-- Channels, how they are reached and asked for what happened, and the templates of their providers.

create table channel (
  id uuid primary key,
  company_id uuid not null references company,
  type text not null,
  name text,
  provider_route text not null,
  provider_account text,
  display_number text,
  country text,
  credentials text not null,
  verify_token_hash bytea,
  is_connected boolean not null,
  disconnected_reason text,
  is_simulated boolean not null default false,
  is_coexistence boolean not null default false,
  take_over_hours smallint not null default 24 check (take_over_hours between 1 and 168),
  templates_due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  settings text not null default '{}',
  problem text,
  risk_accepted_at timestamptz,
  risk_accepted_by uuid references person,
  history_phase smallint,
  history_percent smallint check (history_percent between 0 and 100),
  history_reported_at timestamptz,
  history_declined boolean not null default false,
  claim_id uuid,
  lease_expires_at timestamptz,
  check ((risk_accepted_at is null) = (risk_accepted_by is null))
);
comment on column channel.provider_route is 'What the provider names the channel by in its webhooks: phone number id, page id, bot id';
comment on column channel.provider_account is 'WhatsApp Business account id';
comment on column channel.display_number is 'Digits without +';
comment on column channel.country is 'ISO 3166-1 alpha-2, of the number';
comment on column channel.credentials is 'Encrypted JSON, bound to this row';
comment on column channel.verify_token_hash is 'SHA-256 of the secret of ours that the provider shows; null without one, and when deleted';
comment on column channel.disconnected_reason is 'Why it is not connected: a fact, as JSON text';
comment on column channel.is_coexistence is 'The owner uses the number in the provider''s own app too: known by what the app wrote. It may send less in a second';
comment on column channel.take_over_hours is 'Hours that the owner''s reply from the provider''s app keeps flows and assistant out of a conversation';
comment on column channel.templates_due_at is 'When the provider''s list of templates is read next; while it is read, the end of the lease; null: only when a member asks';
comment on column channel.claim_id is 'Of the process that reads its templates; names its node';
comment on column channel.deleted_at is 'Its credentials are wiped then; the row stays for what was said on it';
comment on column channel.settings is 'JSON text: the open fields of its form that say how it works here, by name';
comment on column channel.problem is 'What keeps its provider''s news from coming although it is connected: a fact, as JSON text';
comment on column channel.risk_accepted_at is 'When a member accepted what the provider does to those who connect it in a way that it does not offer; null where it does';
comment on column channel.history_phase is '0: the last day, 1: to 90 days, 2: to 180 days; null: none has come';
comment on column channel.history_percent is 'Of all of it, as the provider tells';
comment on column channel.history_reported_at is 'When the provider last told of it';
comment on column channel.history_declined is 'The owner does not share it';
create index channel_company on channel (company_id);
create unique index channel_route on channel (type, provider_route) where deleted_at is null;
create index channel_provider_account on channel (type, provider_account);
create index channel_verify_token on channel (verify_token_hash) where deleted_at is null;
create index channel_templates_due on channel (templates_due_at) where deleted_at is null;
create index channel_claimed on channel (lease_expires_at) where claim_id is not null;

create function tell_of_changed_channel() returns trigger language plpgsql as $$
begin
  perform pg_notify('wasla_channel_changed', old.id::text);
  return null;
end $$;
create trigger channel_changed
  after update of provider_route, provider_account, display_number, is_simulated, credentials, settings, deleted_at
    on channel
  for each row execute function tell_of_changed_channel();

create table template (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel on delete cascade,
  provider_template_id text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  parameter_format text not null,
  components text not null,
  synced_at timestamptz not null,
  unique (channel_id, name, language)
);
comment on column template.components is 'The provider''s JSON, as text';

create table channel_poll (
  channel_id uuid primary key references channel,
  due_at timestamptz not null,
  failure_count smallint not null default 0,
  claim_id uuid,
  lease_expires_at timestamptz,
  check ((claim_id is null) = (lease_expires_at is null))
);
comment on table channel_poll is 'Channels whose provider is asked for what happened, by one process at a time; only the connected ones are';
comment on column channel_poll.due_at is 'When the provider is asked next';
comment on column channel_poll.failure_count is 'Rounds in a row in which nothing came of it';
comment on column channel_poll.claim_id is 'Of the process that asks; names its node';
create index channel_poll_due on channel_poll (due_at) where claim_id is null;
create index channel_poll_claimed on channel_poll (lease_expires_at) where claim_id is not null;

create table channel_state (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel,
  name text not null,
  value text not null,
  unique (channel_id, name)
);
comment on table channel_state is 'What an adapter keeps of a channel from one round of asking its provider to the next';
comment on column channel_state.value is 'Encrypted, bound to this row';

create table channel_throttle (
  channel_id uuid primary key references channel,
  next_at timestamptz not null,
  recent timestamptz[] not null default '{}',
  message_id text
) with (fillfactor = 50);
comment on table channel_throttle is 'Channels whose sends keep a distance, whichever process makes them: one is under way at a time';
comment on column channel_throttle.next_at is 'No send begins before; while one is under way, when it is given up for lost';
comment on column channel_throttle.recent is 'When the last sends ended, the oldest first, at most as many as an hour allows';
comment on column channel_throttle.message_id is 'The message under way';

create unlogged table send_rate (
  channel_id uuid primary key references channel,
  per_second integer not null,
  granted integer not null,
  begun_at timestamptz[] not null
) with (fillfactor = 50);
comment on table send_rate is 'Channels that send at a rate, whichever process does; unlogged, as a second later it is of no use';
comment on column send_rate.granted is 'How many sends the last statement has begun';
comment on column send_rate.begun_at is 'When the sends of the last second began, by the clock of the database';
