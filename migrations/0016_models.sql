-- The language models of the assistant, in their order, and their usage.

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
comment on column model.base_url is 'The base URL; null for that of the provider';
comment on column model.credential is 'Encrypted: the API key; null if its server needs none';
comment on column model.last_four is 'The last four characters of a key of 12 characters or more';
comment on column model.reads_images is 'True when the model may receive the photos of customers';
comment on column model.broken is 'The reason why the model is not called until a member corrects it: a fact, as JSON text';
comment on column model.transcription_model is 'The name of the model with which its server transcribes voice notes; null for none';
comment on column model.thinking is 'True when the model may reason before it answers';
comment on column model.thinking_switch is 'The member of a request by which its server answers without reasoning, as the test request found out; null to send none';
comment on column model.reasons_anyway is 'True when the model reasoned in the test request although it was requested not to';

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
comment on column model_day.day is 'A UTC day';
comment on column model_day.estimated is 'The number of requests whose response stated no tokens';

create table model_warning (
  account_id uuid not null references account,
  day date not null,
  percent smallint not null,
  primary key (account_id, day, percent)
);
comment on table model_warning is 'Sent warnings that a percentage of a day''s allowance is used; each is sent once';
comment on column model_warning.day is 'A UTC day';
