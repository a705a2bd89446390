-- Language models that the assistant asks, in their order, and what they have used.

create table model (
  id uuid primary key,
  account_id uuid not null references account,
  position smallint not null check (position between 1 and 3),
  kind text not null check (kind in ('openai', 'openai_compatible', 'anthropic')),
  model_name text not null,
  base_url text,
  credential text,
  last_four text,
  context_tokens integer not null,
  reads_images boolean not null default false,
  is_on boolean not null default true,
  broken text,
  broken_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  transcription_model text,
  thinking text not null default 'off' check (thinking in ('off', 'on')),
  thinking_switch text check (thinking_switch in ('reasoning_effort', 'thinking_type', 'enable_thinking')),
  reasons_anyway boolean not null default false,
  unique (account_id, position) deferrable initially deferred
);
comment on column model.base_url is 'Null: the provider''s own';
comment on column model.credential is 'Encrypted: the key; null: its server asks for none';
comment on column model.last_four is 'Of a key of 12 characters or more';
comment on column model.reads_images is 'It is shown the photos of customers';
comment on column model.broken is 'Why it is not asked until somebody mends it: a fact, as JSON text';
comment on column model.transcription_model is 'By which its server transcribes voice notes; null: it does not';
comment on column model.thinking is 'Whether it may reason before it answers';
comment on column model.thinking_switch is 'By which member of a request its server answers without reasoning, as the test question found out; null: none is sent';
comment on column model.reasons_anyway is 'It reasoned over the test question although it was asked not to';

create table model_day (
  account_id uuid not null references account,
  day date not null,
  purpose text not null check (purpose in ('customer', 'playground', 'suggestion')),
  requests integer not null default 0,
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  estimated integer not null default 0,
  primary key (account_id, day, purpose)
) with (fillfactor = 50);
comment on column model_day.day is 'UTC';
comment on column model_day.estimated is 'Requests whose answer told no tokens';

create table model_warning (
  account_id uuid not null references account,
  day date not null,
  percent smallint not null,
  primary key (account_id, day, percent)
);
comment on table model_warning is 'Notices that told that so much of a day''s allowance is used: each is told once';
comment on column model_warning.day is 'UTC';
