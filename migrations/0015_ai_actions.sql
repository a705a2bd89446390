-- What the assistant may call, what it has proposed to a customer, and how often it has called.

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
create index ai_action_connection on ai_action (connection_id);

create table action_proposal (
  id uuid primary key,
  company_id uuid not null references company,
  action_id uuid not null references ai_action on delete cascade,
  conversation_id text not null references conversation on delete cascade,
  revision integer not null,
  arguments text not null,
  identity text,
  after_message_id text,
  state text not null check (state in ('proposed', 'started', 'done', 'failed')),
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  check ((state = 'proposed') = (started_at is null))
);
comment on column action_proposal.arguments is 'JSON text: what the customer was told, and nothing else is called';
comment on column action_proposal.identity is 'The customer''s value at that time, when the action is about the customer';
comment on column action_proposal.after_message_id is 'The customer''s newest message at that time';
comment on column action_proposal.state is 'started before the call goes out; one that stays so was cut off, and is never called again';
create unique index action_proposal_open
  on action_proposal (conversation_id, action_id, md5(arguments)) where state = 'proposed';
create index action_proposal_action on action_proposal (action_id);

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
