-- Channels, the customers on them, what was said, and how many templates were sent unasked.

-- Names are searched by their trigrams.
create extension if not exists pg_trgm;

create table channel (
  id uuid primary key,
  company_id uuid not null references company,
  type text not null,
  name text,
  provider_route text not null,
  provider_account text,
  display_number text,
  country text,
  credentials text not null,
  verify_token_hash bytea,
  is_connected boolean not null,
  disconnected_reason text,
  is_simulated boolean not null default false,
  is_coexistence boolean not null default false,
  take_over_hours smallint not null default 24 check (take_over_hours between 1 and 168),
  templates_due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
comment on column channel.provider_route is 'What the provider names the channel by in its webhooks: phone number id, page id, bot id';
comment on column channel.provider_account is 'WhatsApp Business account id';
comment on column channel.display_number is 'Digits without +';
comment on column channel.country is 'ISO 3166-1 alpha-2, of the number';
comment on column channel.credentials is 'Encrypted JSON, bound to this row';
comment on column channel.verify_token_hash is 'SHA-256 of the secret of ours that the provider shows; null without one, and when deleted';
comment on column channel.disconnected_reason is 'Why it is not connected: a fact, as JSON text';
comment on column channel.is_coexistence is 'The owner uses the number in the provider''s own app too: known by what the app wrote. It may send less in a second';
comment on column channel.take_over_hours is 'Hours that the owner''s reply from the provider''s app keeps flows and assistant out of a conversation';
comment on column channel.templates_due_at is 'When the provider''s list of templates is read next; null: only when a member asks';
comment on column channel.deleted_at is 'Its credentials are wiped then; the row stays for what was said on it';
create index channel_company on channel (company_id);
create unique index channel_route on channel (type, provider_route) where deleted_at is null;
create index channel_provider_account on channel (type, provider_account);
create index channel_verify_token on channel (verify_token_hash) where deleted_at is null;
create index channel_templates_due on channel (templates_due_at) where deleted_at is null;

create function tell_of_changed_channel() returns trigger language plpgsql as $$
begin
  perform pg_notify('wasla_channel_changed', old.id::text);
  return null;
end $$;
create trigger channel_changed
  after update of provider_route, provider_account, is_simulated, credentials, deleted_at on channel
  for each row execute function tell_of_changed_channel();

create table template (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel on delete cascade,
  provider_template_id text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  parameter_format text not null,
  components text not null,
  synced_at timestamptz not null,
  unique (channel_id, name, language)
);
comment on column template.components is 'The provider''s JSON, as text';

create table contact (
  id uuid primary key,
  company_id uuid not null references company,
  name text,
  search_name text,
  phone text check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  raw_phone text,
  whatsapp_id text,
  email text,
  language text,
  tags text[] not null default '{}',
  fields jsonb not null default '{}',
  source text not null default 'message'
    check (source in ('message', 'hook', 'member', 'import', 'booking_page')),
  opted_out_at timestamptz,
  opt_out_word_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 70);
comment on column contact.search_name is 'The name as it is searched: folded, in ASCII letters (rules/text/search-form)';
comment on column contact.phone is 'E.164; null when unknown or without a country code';
comment on column contact.raw_phone is 'A number without its country, as it was written: shown to members, matched to nobody, in no event';
comment on column contact.whatsapp_id is 'The business-scoped or @lid id; null when only a number is known';
comment on column contact.fields is 'Values of custom fields by key, as texts; those of archived fields too, which no event shows';
comment on column contact.source is 'What made it: a message on a channel, a hook, a member, an import, a booking on the public page';
comment on column contact.opted_out_at is 'Set exactly while opted out';
comment on column contact.opt_out_word_at is 'Own time of the newest word or act that opted out or in, whether or not it changed anything; an older one that comes later changes nothing';
create index contact_phone on contact (company_id, phone) where phone is not null;
create index contact_recent on contact (company_id, id desc);
create index contact_opted_out on contact (company_id, id desc) where opted_out_at is not null;
create index contact_email on contact (company_id, lower(email)) where email is not null;
create index contact_name on contact using gin (search_name gin_trgm_ops);
create index contact_tags on contact using gin (tags);
create index contact_fields on contact using gin (fields jsonb_path_ops);

create table contact_alias (
  company_id uuid not null references company,
  kind text not null check (kind in ('number', 'business_scoped', 'lid', 'provider')),
  value text not null,
  contact_id uuid not null references contact on delete cascade,
  learnt_from text not null default 'provider' check (learnt_from in ('provider', 'person')),
  created_at timestamptz not null,
  primary key (company_id, kind, value)
);
comment on table contact_alias is 'Every id a provider has used for a contact; one contact may have many';
comment on column contact_alias.learnt_from is 'What a person wrote they may take back; what a provider showed stays';
comment on column contact_alias.value is 'number: digits; provider: route, colon, the id there';
create index contact_alias_contact on contact_alias (contact_id);

create table conversation (
  id text primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel,
  channel_type text not null,
  contact_id uuid references contact,
  filed_under text not null,
  visitor_name text,
  status text not null default 'open' check (status in ('open', 'resolved')),
  handled_by text not null default 'assistant' check (handled_by in ('assistant', 'staff')),
  taken_over_at timestamptz,
  taken_over_until timestamptz,
  assignee_id uuid references person,
  needs_staff boolean not null default false,
  waiting_since timestamptz,
  turn bigint not null default 0,
  announced_at timestamptz,
  service_window_ends_at timestamptz,
  last_message_at timestamptz,
  last_customer_at timestamptz,
  last_text text,
  last_sender text,
  staff_seen_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid references person,
  created_at timestamptz not null,
  unique (channel_id, filed_under),
  constraint resolved_is_given_back check (status = 'open' or
    (handled_by = 'assistant' and assignee_id is null and not needs_staff and waiting_since is null))
) with (fillfactor = 70);
comment on column conversation.needs_staff is 'Somebody of the staff is to look at it, whoever handles it';
comment on column conversation.waiting_since is 'The oldest message for staff that nobody has answered; null when none waits';
comment on column conversation.turn is 'Grows with each message of the customer and each change of hands: what was decided at an older one is out of date';
comment on column conversation.last_text is 'The first 200 characters of the last message';
comment on column conversation.last_sender is 'As message.sender';
comment on column conversation.staff_seen_at is 'One mark for the team: messages of the customer after it are unread';
comment on column conversation.resolved_by is 'Who resolved it last; null for the service and for a flow';
comment on column conversation.contact_id is 'Null for a web widget visitor';
comment on column conversation.filed_under is 'The id of the customer that was known when it began: digits without +, a business-scoped id, an @lid id, a provider id; never changed';
comment on column conversation.taken_over_at is 'When staff last took it over: a run that a member starts after that goes on beside staff';
comment on column conversation.taken_over_until is 'While handled_by is staff by the owner''s replies from the provider''s app: when it is given back by itself; null: a person has it until they give it back';
comment on column conversation.announced_at is 'When conversation.started was raised, or history told of a message of the customer; null while only the business has written';
comment on column conversation.service_window_ends_at is 'When the window for replies closes that the customer''s last message opened; null when they never wrote, and on channels without a window';
create index conversation_contact on conversation (contact_id);
-- The lists of the inbox, each read in its order. One that nobody waits in comes after all that wait. What
-- is included is what the counts ask beside: they read the indexes alone.
create index conversation_latest on conversation
  (company_id, status, coalesce(last_message_at, created_at) desc, id desc);
create index conversation_staff on conversation
  (company_id, coalesce(last_message_at, created_at) desc, id desc) include (taken_over_until)
  where status = 'open' and handled_by = 'staff';
create index conversation_unassigned on conversation
  (company_id, coalesce(waiting_since, 'infinity'), id)
  where status = 'open' and needs_staff and assignee_id is null;
create index conversation_mine on conversation
  (company_id, assignee_id, coalesce(waiting_since, 'infinity'), id)
  where status = 'open' and assignee_id is not null;
create index conversation_open on conversation (company_id, id) include (handled_by, taken_over_until)
  where status = 'open';
create index conversation_closing on conversation (company_id, service_window_ends_at, id)
  where status = 'open' and needs_staff and service_window_ends_at is not null;

create table message (
  id text primary key,
  company_id uuid not null references company,
  conversation_id text not null references conversation,
  channel_id uuid not null references channel,
  direction text not null check (direction in ('in', 'out')),
  sender text not null check (sender in
    ('customer', 'flow', 'assistant', 'staff', 'owner_app', 'broadcast')),
  type text not null,
  text text,
  -- References file; declared there, as a file references the channel that it came on.
  file_id uuid,
  template_name text,
  template_language text,
  provider_message_id text,
  reply_to_provider_id text,
  button_payload text,
  -- References flow_run; declared there, as a run references the conversation of its messages.
  run_id uuid,
  author_id uuid references person,
  -- References broadcast; declared there.
  broadcast_id uuid,
  send_key text,
  lane smallint,
  attempt smallint,
  status text,
  error_code text,
  error_detail text,
  is_imported boolean not null default false,
  occurred_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  outbound text,
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  unique (channel_id, provider_message_id),
  unique (send_key, attempt),
  check ((direction = 'out') = (status is not null)),
  check ((claim_id is null) = (claimed_until is null)),
  check (status <> 'queued' or (outbound is not null and due_at is not null and attempt is not null
    and lane is not null))
) with (fillfactor = 70);
comment on column message.error_detail is 'Why it failed: a fact, as JSON text';
comment on column message.send_key is 'Of what the service sends, by its sender: run and step number. One step of one run never writes two messages';
comment on column message.author_id is 'The member who wrote it';
comment on column message.broadcast_id is 'Of the last try of what it sends to a recipient; null of the tries before';
comment on column message.lane is 'What of a channel goes first: 1 staff, 2 the assistant, 3 flows, 4 broadcasts';
comment on column message.attempt is 'Of the send of its key, from 1: what the provider refuses for now is tried again as a message of its own';
comment on column message.status is 'Of a sent message: queued, sending, unknown, accepted, sent, delivered, read, failed, cancelled';
comment on column message.outbound is 'JSON text: channels, Outbound; kept until it is sent, or will not be tried again';
comment on column message.due_at is 'While queued: when it is to be sent. While failed: when it is tried again';
comment on column message.claim_id is 'Of the process that has it in hand; names its node';
comment on column message.is_imported is 'History that came with a coexistence number: raises nothing';
comment on column message.occurred_at is 'When the provider says it was written, or when we wrote it';
create index message_conversation on message (conversation_id, occurred_at desc);
create index message_run on message (run_id) where run_id is not null;
-- What became of a template lately.
create index message_template on message
  (channel_id, template_name, template_language, status, occurred_at) where template_name is not null;
create index message_due on message (channel_id, lane, due_at) where due_at is not null and claim_id is null;
create index message_due_at on message (due_at) where due_at is not null and claim_id is null;
create index message_claimed on message (claimed_until) where claim_id is not null;

create table template_day (
  account_id uuid not null references account,
  day date not null,
  sent integer not null,
  primary key (account_id, day)
) with (fillfactor = 50);
comment on table template_day is 'Automated templates of an account and its projects, by UTC day';
create index template_day_day on template_day (day);

create table template_send (
  message_id text primary key references message on delete cascade,
  account_id uuid not null references account,
  company_id uuid not null references company,
  contact_id uuid references contact on delete set null,
  run_id uuid not null,
  sent_at timestamptz not null
);
comment on table template_send is 'Automated templates, kept 30 days; a customer''s allowance is counted here';
create index template_send_contact on template_send (contact_id, sent_at desc);
create index template_send_sent_at on template_send (sent_at);
