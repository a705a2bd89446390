-- The assistant: what a company set up, its replies and their steps.

create table assistant (
  company_id uuid primary key references company,
  is_on boolean not null default false,
  name text,
  profile text not null default '',
  guidance text not null default '',
  tone text not null default 'friendly' check (tone in ('friendly', 'formal', 'short')),
  gather_ms integer not null default 3000 check (gather_ms between 0 and 30000),
  texts text not null default '{}',
  lead_criteria text not null default '',
  qualify_at smallint not null default 70 check (qualify_at between 0 and 100),
  hands_over_qualified boolean not null default true,
  readable_fields text[] not null default '{}',
  tags text[] not null default '{}',
  revision integer not null default 1,
  updated_at timestamptz not null
);
comment on column assistant.name is 'By which it calls itself; null: the company''s assistant';
comment on column assistant.texts is 'JSON text: the company''s own sentences of a handover, by language; without one ours';
comment on column assistant.readable_fields is 'Keys of the fields of contacts that the model may see';
comment on column assistant.tags is 'Tags that it may give';

create table assistant_reply (
  id uuid primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  state text not null check (state in ('gathering', 'thinking', 'sending',
    'sent', 'not_sent', 'unknown', 'cancelled', 'handed_over', 'failed')),
  epoch integer not null default 1,
  gather_until timestamptz,
  gather_latest timestamptz,
  wake_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  restarts smallint not null default 0,
  first_message_id text not null,
  noted_message_id text not null,
  noted_at timestamptz not null,
  covered_message_id text,
  heard_at timestamptz,
  has_effect boolean not null default false,
  model_requests smallint not null default 0,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  parts text,
  ends_when_taken boolean not null default false,
  faults smallint not null default 0,
  end_reason text,
  detail text,
  started_at timestamptz not null,
  thinking_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 60);
comment on column assistant_reply.epoch is 'Grows when it begins anew because of a further message: what an older one brings back changes nothing';
comment on column assistant_reply.noted_message_id is 'The newest message of the customer that it was given';
comment on column assistant_reply.heard_at is 'Until when the messages are that the model was told of';
comment on column assistant_reply.faults is 'Turns in a row that could not be taken';
comment on column assistant_reply.covered_message_id is 'The newest message of the customer that the model was told of';
comment on column assistant_reply.has_effect is 'Something was done that cannot be taken back: it does not begin anew';
comment on column assistant_reply.parts is 'JSON text: what is said, in its parts';
comment on column assistant_reply.ends_when_taken is 'Its last part is under way, and states nothing: once the provider has taken it there is nothing more to do';
comment on column assistant_reply.end_reason is 'A fact, as JSON text';
create unique index assistant_reply_active on assistant_reply (conversation_id)
  where state in ('gathering', 'thinking', 'sending');
create index assistant_reply_due on assistant_reply (wake_at)
  where state in ('gathering', 'thinking', 'sending');
create index assistant_reply_of_company on assistant_reply (company_id, wake_at)
  where state in ('gathering', 'thinking', 'sending') and claim_id is null;
create index assistant_reply_claimed on assistant_reply (claimed_until) where claim_id is not null;
create index assistant_reply_ended on assistant_reply (ended_at) where ended_at is not null;
create index assistant_reply_newest on assistant_reply (company_id, started_at desc, id desc);
create index assistant_reply_conversation on assistant_reply (conversation_id, started_at desc);

create table assistant_step (
  reply_id uuid not null references assistant_reply on delete cascade,
  company_id uuid not null references company,
  epoch integer not null,
  number integer not null,
  kind text not null check (kind in ('model', 'tool', 'search', 'guard')),
  state text not null check (state in ('started', 'done', 'failed', 'interrupted')),
  name text,
  input text,
  told text,
  data text,
  tokens_in integer,
  tokens_out integer,
  failure text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (reply_id, epoch, number)
);
comment on column assistant_step.input is 'JSON text: of a tool its arguments, of a model the hashes of its prompt''s parts';
comment on column assistant_step.told is 'What the model was told, or answered';
comment on column assistant_step.data is 'JSON text: what belongs to its kind, such as chunks with their scores';

create index assistant_step_started on assistant_step (started_at);

create table prompt_part (
  company_id uuid not null references company,
  sha256 bytea not null,
  text text not null,
  last_used_at timestamptz not null,
  primary key (company_id, sha256)
);

create table offered_slot (
  conversation_id text not null references conversation on delete cascade,
  company_id uuid not null references company,
  service_id uuid not null references service on delete cascade,
  starts_at timestamptz not null,
  found_at timestamptz not null,
  primary key (conversation_id, service_id, starts_at)
);
comment on table offered_slot is 'Free times that the assistant found for a customer: only one that a message since then told them can be booked';
comment on column offered_slot.found_at is 'When it was found first of late';
create index offered_slot_old on offered_slot (found_at);

create table reply_feedback (
  reply_id uuid not null references assistant_reply on delete cascade,
  company_id uuid not null references company,
  person_id uuid not null references person,
  is_good boolean not null,
  note text,
  at timestamptz not null,
  primary key (reply_id, person_id)
);

alter table message add column reply_id uuid references assistant_reply on delete set null;
alter table message add column transcript text;
comment on column message.reply_id is 'The reply of the assistant that it is a part of';
comment on column message.transcript is 'What a voice note was heard to say; of a location where it is, in words';
create index message_reply on message (reply_id) where reply_id is not null;
alter table conversation add column language text;
comment on column conversation.language is 'Of the customer''s last messages, as the assistant read it: ar or en';
alter table handover add column reply_id uuid references assistant_reply on delete set null;
alter table handover add column detail text;
comment on column handover.detail is 'Why code handed over where the reason says less, such as model_unavailable';

alter table action_proposal add column appointment_id uuid references appointment on delete cascade;
alter table action_proposal
  add constraint action_proposal_of_one check (num_nonnulls(action_id, appointment_id) = 1);
comment on column action_proposal.appointment_id is 'That is to be cancelled; null where an action is to be called';
create index action_proposal_appointment on action_proposal (appointment_id)
  where appointment_id is not null;
