-- Channels whose provider is asked for what happened, what is kept of that, and what they are set to.

alter table channel
  add column settings text not null default '{}',
  add column problem text;
comment on column channel.settings is 'JSON text: the open fields of its form that say how it works here, by name';
comment on column channel.problem is 'What keeps its provider''s news from coming although it is connected: a fact, as JSON text';

create table channel_poll (
  channel_id uuid primary key references channel,
  due_at timestamptz not null,
  faults smallint not null default 0,
  claim_id uuid,
  claimed_until timestamptz,
  check ((claim_id is null) = (claimed_until is null))
);
comment on table channel_poll is 'Channels whose provider is asked for what happened, by one process at a time; only the connected ones are';
comment on column channel_poll.due_at is 'When the provider is asked next';
comment on column channel_poll.faults is 'Rounds in a row in which nothing came of it';
comment on column channel_poll.claim_id is 'Of the process that asks; names its node';
create index channel_poll_due on channel_poll (due_at) where claim_id is null;
create index channel_poll_claimed on channel_poll (claimed_until) where claim_id is not null;

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

drop trigger channel_changed on channel;
create trigger channel_changed
  after update of provider_route, provider_account, is_simulated, credentials, settings, deleted_at on channel
  for each row execute function tell_of_changed_channel();
