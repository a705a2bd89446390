-- The merchant's API: connections, their calls, and the actions of the assistant.

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
comment on column api_connection.auth_name is 'The header or query parameter that contains the key';
comment on column api_connection.credential is 'Encrypted JSON text: a token, or a user name and a password; erased on deletion';
comment on column api_connection.credential_last_four is 'The last four characters, which members see; null for a credential of fewer than 12 characters';
comment on column api_connection.headers is 'JSON text: names and values that are sent with every call';
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
comment on table call_log is 'One row for each attempt, without query, headers, body and credential';
comment on column call_log.person_id is 'The member who made a test call; null for other calls';
comment on column call_log.path is 'The path of the base URL and the request together, with its values filled in';
comment on column call_log.status is 'The status of the response, also if the response was not read to its end';
comment on column call_log.error is 'The reason of a failure, a word of CALL_FAILURES; null after a success';
create index call_log_list on call_log (company_id, id desc);
create index call_log_connection on call_log (connection_id, id desc);
create index call_log_age on call_log (started_at);

create table call_day (
  account_id uuid not null references account,
  day date not null,
  made integer not null,
  primary key (account_id, day)
);
comment on column call_day.day is 'A UTC day';
comment on column call_day.made is 'The number of attempts of the account and its projects, including retries and tests';

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
comment on column ai_action.connection_id is 'The connection of the definition''s request';
comment on column ai_action.definition is 'JSON text (contract/ai-action)';
comment on column ai_action.revision is 'The number of changes; a proposal is valid only for the revision that it states';

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
  -- The foreign key to appointment is declared with that table.
  appointment_id uuid,
  check ((confirmation_sent_at is null) = (confirmation_count = 0)),
  check (state <> 'drafted' or confirmation_sent_at is null),
  check (state <> 'proposed' or confirmation_sent_at is not null),
  check ((state in ('started', 'done', 'failed')) = (started_at is not null)),
  check ((state = 'withdrawn') = (withdrawn_because is not null)),
  constraint action_proposal_of_one check (num_nonnulls(action_id, appointment_id) = 1)
);
comment on table action_proposal is 'Offers of the assistant that need the customer''s agreement: to call an action, or to cancel an appointment';
comment on column action_proposal.revision is 'The revision of the action, or the version of the appointment, that the proposal states';
comment on column action_proposal.arguments is 'JSON text: the arguments that the customer is shown, with which alone the action is called';
comment on column action_proposal.identity is 'The customer''s value at the time of the proposal, when the action concerns the customer';
comment on column action_proposal.drafted_by is 'The reply of the assistant whose last part states the proposal';
comment on column action_proposal.state is 'drafted until the provider accepted the message that states it, then proposed; started before the call is made. A proposal that stays started was interrupted, and is never called again';
comment on column action_proposal.confirmation_message_id is 'The message that states the proposal; the last one if it was stated again';
comment on column action_proposal.confirmation_sent_at is 'The time when the provider accepted that message; an agreement comes later';
comment on column action_proposal.confirmed_by is 'The reply that began with the customer''s agreement';
comment on column action_proposal.appointment_id is 'The appointment to cancel; null for a call of an action';
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
comment on column action_day.customer is 'The id of the contact, or of the conversation for a customer without a contact';
comment on column action_day.day is 'A UTC day';
create index action_day_day on action_day (day);

create table action_reply (
  company_id uuid not null references company,
  reply_id text not null,
  calls smallint not null,
  used_ms integer not null default 0,
  started_at timestamptz not null,
  primary key (company_id, reply_id)
) with (fillfactor = 50);
comment on table action_reply is 'The calls of one reply of the assistant';
comment on column action_reply.used_ms is 'The total duration of its calls in milliseconds';
create index action_reply_started on action_reply (started_at);
