-- API connections, the log of the calls made through them, and the daily allowance.

create table api_connection (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  base_url text not null,
  auth_kind text not null check (auth_kind in ('none', 'bearer', 'basic', 'header', 'query')),
  auth_name text,
  credential text,
  credential_last_four text,
  headers text not null default '[]',
  timeout_ms integer not null,
  is_on boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((auth_name is not null) = (auth_kind in ('header', 'query'))),
  check ((credential is not null) = (auth_kind <> 'none' and deleted_at is null))
);
comment on column api_connection.auth_name is 'The header or query parameter that carries the key';
comment on column api_connection.credential is 'Encrypted JSON text: a token, or a user name and a password; wiped when deleted';
comment on column api_connection.credential_last_four is 'Shown to members; null for a credential under 12 characters';
comment on column api_connection.headers is 'JSON text: name and value, sent with every call';
create index api_connection_company on api_connection (company_id, id) where deleted_at is null;

create table call_log (
  id uuid primary key,
  company_id uuid not null references company,
  connection_id uuid not null references api_connection,
  source text not null check (source in ('step', 'action', 'test')),
  run_id uuid,
  step_id text,
  action_id uuid,
  conversation_id text,
  person_id uuid,
  method text not null,
  host text not null,
  path text not null,
  is_repeat boolean not null,
  status smallint,
  error text,
  duration_ms integer not null,
  started_at timestamptz not null
);
comment on table call_log is 'One row for each attempt; no query, header or body, and no credential';
comment on column call_log.person_id is 'The member who tested';
comment on column call_log.path is 'Of the base URL and the request together, once filled in';
comment on column call_log.status is 'Of the answer, also when it was not read whole';
comment on column call_log.error is 'Why it failed, in a word of CALL_FAILURES; null for a success';
create index call_log_list on call_log (company_id, id desc);
create index call_log_connection on call_log (connection_id, id desc);
create index call_log_age on call_log (started_at);

create table call_day (
  account_id uuid not null references account,
  day date not null,
  made integer not null,
  primary key (account_id, day)
);
comment on column call_day.day is 'UTC';
comment on column call_day.made is 'Attempts over the account and its projects, repeats and tests too';
