-- Channels, the polls and limits of their providers, and message templates.

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
comment on column channel.provider_route is 'The name of the channel in the provider''s webhooks: phone number id, page id or bot id';
comment on column channel.provider_account is 'The WhatsApp Business account id';
comment on column channel.display_number is 'The phone number, as digits without +';
comment on column channel.country is 'The country of the number (ISO 3166-1 alpha-2)';
comment on column channel.credentials is 'Encrypted JSON, bound to this row';
comment on column channel.verify_token_hash is 'SHA-256 of the verify token that the provider sends; null without one, and for a deleted channel';
comment on column channel.disconnected_reason is 'The reason why the channel is not connected: a fact, as JSON text';
comment on column channel.is_coexistence is 'True when the owner also uses the number in the provider''s own app, as messages from the app have shown. Such a number may send fewer messages a second';
comment on column channel.take_over_hours is 'The number of hours for which a reply of the owner in the provider''s app keeps flows and the assistant out of a conversation';
comment on column channel.templates_due_at is 'The time of the next read of the provider''s templates, which is the end of the lease during a read; null when templates are only read on request';
comment on column channel.claim_id is 'The claim (fencing token) of the process that reads its templates; it names the node';
comment on column channel.deleted_at is 'The time of the deletion, which erases the credentials; the row stays for its conversations';
comment on column channel.settings is 'JSON text: the values of its form that are no secrets, by name';
comment on column channel.problem is 'The reason why events of the provider do not arrive although the channel is connected: a fact, as JSON text';
comment on column channel.risk_accepted_at is 'The time when a member accepted the risk of connecting in a way that the provider does not offer; null for the ways that it offers';
comment on column channel.history_phase is 'The phase of the imported history: 0 is the last day, 1 reaches back to 90 days and 2 to 180 days; null before any';
comment on column channel.history_percent is 'The progress of the whole history, as the provider reports it';
comment on column channel.history_reported_at is 'The time of the provider''s last report on the history';
comment on column channel.history_declined is 'True when the owner does not share the history';
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
comment on column template.components is 'The provider''s JSON of the template, as text';

create table channel_poll (
  channel_id uuid primary key references channel,
  due_at timestamptz not null,
  failure_count smallint not null default 0,
  claim_id uuid,
  lease_expires_at timestamptz,
  check ((claim_id is null) = (lease_expires_at is null))
);
comment on table channel_poll is 'Connected channels whose provider is polled for events, by one process at a time';
comment on column channel_poll.due_at is 'The time of the next poll, which is the end of the lease during a poll';
comment on column channel_poll.failure_count is 'The number of consecutive failed polls';
comment on column channel_poll.claim_id is 'The claim (fencing token) of the process that polls; it names the node';
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
comment on table channel_state is 'The state that an adapter stores for a channel between two polls';
comment on column channel_state.value is 'Encrypted, bound to this row';

create table channel_throttle (
  channel_id uuid primary key references channel,
  next_at timestamptz not null,
  recent timestamptz[] not null default '{}',
  message_id text
) with (fillfactor = 50);
comment on table channel_throttle is 'Channels with a minimum interval between sends, over all processes: one send at a time';
comment on column channel_throttle.next_at is 'The earliest time of the next send; during a send the time at which it counts as lost';
comment on column channel_throttle.recent is 'The end times of the last sends, the oldest first, at most as many as are allowed in an hour';
comment on column channel_throttle.message_id is 'The message that is being sent';

create unlogged table send_rate (
  channel_id uuid primary key references channel,
  per_second integer not null,
  granted integer not null,
  begun_at timestamptz[] not null
) with (fillfactor = 50);
comment on table send_rate is 'Channels that send at a maximum rate, over all processes. It is unlogged, because its rows are obsolete after a second';
comment on column send_rate.granted is 'The number of sends that the last statement began';
comment on column send_rate.begun_at is 'The start times of the sends of the last second, by the clock of the database';
