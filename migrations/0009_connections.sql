-- The merchant's own API: connections to it, the calls made through them, and what the assistant may call.

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

create table ai_action (
  id uuid primary key,
  company_id uuid not null references company,
  connection_id uuid not null references api_connection,
  tool_name text not null,
  definition text not null,
  needs_confirmation boolean not null,
  is_on boolean not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint ai_action_tool_name unique (company_id, tool_name)
);
comment on column ai_action.connection_id is 'The same as in the request of the definition';
comment on column ai_action.definition is 'JSON text: contract/ai-action';
comment on column ai_action.revision is 'Counts the changes; a proposal is good for the action as it was stated only';

create table action_proposal (
  id uuid primary key,
  company_id uuid not null references company,
  action_id uuid references ai_action on delete cascade,
  conversation_id text not null references conversation on delete cascade,
  revision integer not null,
  arguments text not null,
  identity text,
  drafted_by text not null,
  state text not null
    check (state in ('drafted', 'proposed', 'started', 'done', 'failed', 'withdrawn')),
  confirmation_message_id text,
  confirmation_sent_at timestamptz,
  confirmation_count smallint not null default 0,
  confirmed_by text,
  withdrawn_because text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- References appointment; declared there.
  appointment_id uuid,
  check ((confirmation_sent_at is null) = (confirmation_count = 0)),
  check (state <> 'drafted' or confirmation_sent_at is null),
  check (state <> 'proposed' or confirmation_sent_at is not null),
  check ((state in ('started', 'done', 'failed')) = (started_at is not null)),
  check ((state = 'withdrawn') = (withdrawn_because is not null)),
  constraint action_proposal_of_one check (num_nonnulls(action_id, appointment_id) = 1)
);
comment on table action_proposal is 'What the assistant offers to do and the customer has to agree to: to call an action, or to cancel an appointment';
comment on column action_proposal.revision is 'The revision of the action, or the version of the appointment, that the proposal states';
comment on column action_proposal.arguments is 'JSON text: what the customer is told, and nothing else is called';
comment on column action_proposal.identity is 'The customer''s value at that time, when the action is about the customer';
comment on column action_proposal.drafted_by is 'The reply of the assistant that has its statement as its last part';
comment on column action_proposal.state is 'drafted until the provider took the message that states it, then proposed; started before the call goes out: one that stays so was cut off, and is never called again';
comment on column action_proposal.confirmation_message_id is 'The message that states it, the last one where it was stated again';
comment on column action_proposal.confirmation_sent_at is 'When the provider took that message: an agreement comes after it';
comment on column action_proposal.confirmed_by is 'The reply at whose start the customer''s agreement was taken';
comment on column action_proposal.appointment_id is 'That is to be cancelled; null where an action is to be called';
create unique index action_proposal_open on action_proposal (conversation_id)
  where state in ('drafted', 'proposed');
create index action_proposal_conversation on action_proposal (conversation_id, id);
create index action_proposal_action on action_proposal (action_id);
create index action_proposal_appointment on action_proposal (appointment_id)
  where appointment_id is not null;

create table action_day (
  company_id uuid not null references company,
  customer text not null,
  day date not null,
  calls integer not null,
  primary key (company_id, customer, day)
) with (fillfactor = 50);
comment on column action_day.customer is 'The contact''s id; without a contact the conversation''s';
comment on column action_day.day is 'UTC';
create index action_day_day on action_day (day);

create table action_reply (
  company_id uuid not null references company,
  reply_id text not null,
  calls smallint not null,
  used_ms integer not null default 0,
  started_at timestamptz not null,
  primary key (company_id, reply_id)
) with (fillfactor = 50);
comment on table action_reply is 'Calls of one reply of the assistant';
comment on column action_reply.used_ms is 'How long its calls took together';
create index action_reply_started on action_reply (started_at);
