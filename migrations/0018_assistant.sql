-- The assistant: the settings of a company, replies and their steps.

create table assistant (
  company_id uuid primary key references company,
  is_on boolean not null default false,
  name text,
  profile text not null default '',
  guidance text not null default '',
  tone text not null default 'friendly' check (tone in ('friendly', 'formal', 'short')),
  debounce_ms integer not null default 3000 check (debounce_ms between 0 and 30000),
  texts text not null default '{}',
  lead_criteria text not null default '',
  qualify_at smallint not null default 70 check (qualify_at between 0 and 100),
  hands_over_qualified boolean not null default true,
  readable_fields text[] not null default '{}',
  tags text[] not null default '{}',
  revision integer not null default 1,
  updated_at timestamptz not null,
  transcribes boolean not null default false,
  reads_images boolean not null default false,
  language text not null default 'ar' check (language in ('ar', 'en'))
);
comment on column assistant.name is 'The name that the assistant uses for itself; null for the company''s assistant';
comment on column assistant.texts is 'JSON text: the company''s own sentences of a handover, by language; the defaults apply without them';
comment on column assistant.readable_fields is 'The keys of the contact fields that the model may see';
comment on column assistant.tags is 'The tags that the assistant may add';
comment on column assistant.transcribes is 'True when voice notes are transcribed, if a model can';
comment on column assistant.reads_images is 'True when photos are shown to the models that read them';
comment on column assistant.language is 'The language for customers whose messages, conversation and contact show none';

create table assistant_reply (
  id uuid primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  state text not null check (state in ('gathering', 'thinking', 'sending',
    'sent', 'not_sent', 'unknown', 'cancelled', 'handed_over', 'failed')),
  epoch integer not null default 1,
  debounce_until timestamptz,
  debounce_max_at timestamptz,
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  restarts smallint not null default 0,
  first_message_id text not null,
  last_message_id text not null,
  noted_at timestamptz not null,
  answered_message_id text,
  heard_at timestamptz,
  has_effect boolean not null default false,
  model_requests smallint not null default 0,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  parts text,
  completes_on_accept boolean not null default false,
  failure_count smallint not null default 0,
  end_reason text,
  detail text,
  started_at timestamptz not null,
  thinking_at timestamptz,
  ended_at timestamptz,
  carried text
) with (fillfactor = 60);
comment on column assistant_reply.epoch is 'A fencing token that grows when another message restarts the reply: results of an earlier epoch are discarded';
comment on column assistant_reply.last_message_id is 'The newest message of the customer that belongs to the reply';
comment on column assistant_reply.answered_message_id is 'The newest message of the customer that the model has received';
comment on column assistant_reply.heard_at is 'The time up to which the model has received messages';
comment on column assistant_reply.has_effect is 'True when a tool has done something that cannot be undone, so that the reply is not restarted';
comment on column assistant_reply.parts is 'JSON text: the parts of the reply''s text';
comment on column assistant_reply.completes_on_accept is 'True when the last part is being sent and states no proposal, so that the reply is complete once the provider accepts it';
comment on column assistant_reply.failure_count is 'The number of consecutive advances that failed by an error of the service';
comment on column assistant_reply.end_reason is 'The reason of the end: a fact, as JSON text';
comment on column assistant_reply.carried is 'The encrypted data that models require back while the reply uses tools, by the requesting step. It is null once the reply is decided, so a change of keys does not encrypt it again';
create unique index assistant_reply_active on assistant_reply (conversation_id)
  where state in ('gathering', 'thinking', 'sending');
create index assistant_reply_due on assistant_reply (due_at)
  where state in ('gathering', 'thinking', 'sending');
create index assistant_reply_of_company on assistant_reply (company_id, due_at)
  where state in ('gathering', 'thinking', 'sending') and claim_id is null;
create index assistant_reply_claimed on assistant_reply (lease_expires_at) where claim_id is not null;
create index assistant_reply_ended on assistant_reply (ended_at) where ended_at is not null;
create index assistant_reply_newest on assistant_reply (company_id, started_at desc, id desc);
create index assistant_reply_conversation on assistant_reply (conversation_id, started_at desc);
alter table message add foreign key (reply_id) references assistant_reply on delete set null;
create trigger assistant_reply_made after insert on assistant_reply
  referencing new table as made for each statement execute function note_made('reply');

create table assistant_step (
  reply_id uuid not null references assistant_reply on delete cascade,
  company_id uuid not null references company,
  epoch integer not null,
  number integer not null,
  kind text not null check (kind in ('model', 'tool', 'search', 'guard', 'hear')),
  state text not null check (state in ('started', 'done', 'failed', 'interrupted')),
  name text,
  input text,
  result text,
  data text,
  tokens_in integer,
  tokens_out integer,
  failure text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (reply_id, epoch, number)
);
comment on column assistant_step.input is 'JSON text: the arguments of a tool, or the hashes of the parts of a model''s prompt';
comment on column assistant_step.result is 'The result that the model received, or its answer';
comment on column assistant_step.data is 'JSON text: the data of its kind, such as chunks with their scores';
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
comment on table offered_slot is 'Free times that the assistant found for a customer. A time can only be booked if a later message has offered it to the customer';
comment on column offered_slot.found_at is 'The time when the slot was found; another search changes it only after the offer has expired';
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

create function note_changed_replies() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'reply', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.state, before.epoch) is distinct from (after.state, after.epoch);
  end if;
  return null;
end $$;
create trigger assistant_reply_changed after update on assistant_reply
  referencing old table as before new table as after
  for each statement execute function note_changed_replies();

-- Records a reply as changed when rows that belong to it are inserted.
create function note_replies_of() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select distinct pg_current_xact_id()::text::bigint, came.company_id, 'reply', came.reply_id
    from came join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger assistant_step_made after insert on assistant_step
  referencing new table as came for each statement execute function note_replies_of();
create trigger assistant_step_changed after update on assistant_step
  referencing new table as came for each statement execute function note_replies_of();
create trigger reply_feedback_made after insert on reply_feedback
  referencing new table as came for each statement execute function note_replies_of();
create trigger reply_feedback_changed after update on reply_feedback
  referencing new table as came for each statement execute function note_replies_of();
