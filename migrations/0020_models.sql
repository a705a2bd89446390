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
  unique (account_id, position) deferrable initially deferred
);
comment on column model.base_url is 'Null: the provider''s own';
comment on column model.credential is 'Encrypted: the key; null: its server asks for none';
comment on column model.last_four is 'Of a key of 12 characters or more';
comment on column model.broken is 'Why it is not asked until somebody mends it: a fact, as JSON text';

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

alter table account add column model_tokens_per_day integer check (model_tokens_per_day > 0);
comment on column account.model_tokens_per_day is 'Of models, by which the Owner lowered the allowance; null: the operator''s';
comment on column minute_count.what is 'tests_and_resends, connection_tests, invitations or model_tests';
