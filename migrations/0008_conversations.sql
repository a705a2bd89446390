-- Conversations, messages, and the counts of automated templates.

create sequence line_arrival;

create table conversation (
  id text primary key,
  company_id uuid not null,
  channel_id uuid not null,
  channel_type text not null,
  contact_id uuid,
  identity_id uuid,
  filed_under text not null,
  visitor_name text,
  visitor_email text,
  status text not null default 'open' check (status in ('open', 'resolved')),
  handled_by text not null default 'assistant' check (handled_by in ('assistant', 'staff')),
  taken_over_at timestamptz,
  taken_over_until timestamptz,
  assignee_id uuid references person,
  needs_staff boolean not null default false,
  resolved_at timestamptz,
  resolved_by uuid references person,
  created_at timestamptz not null,
  blocked_since timestamptz,
  language text,
  announced_at timestamptz,
  -- As in message, the columns that each message changes come last.
  turn bigint not null default 0,
  waiting_since timestamptz,
  service_window_ends_at timestamptz,
  last_customer_at timestamptz,
  staff_seen_at timestamptz,
  last_message_at timestamptz,
  last_text text,
  last_sender text,
  last_author_id uuid,
  latest_minute timestamptz not null generated always as
    (date_bin('1 minute', coalesce(last_message_at, created_at), 'epoch')) stored,
  closes_at timestamptz generated always as
    (case when status = 'open' and needs_staff then service_window_ends_at end) stored,
  constraint resolved_is_given_back check (status = 'open' or
    (handled_by = 'assistant' and assignee_id is null and not needs_staff and waiting_since is null)),
  constraint conversation_identity foreign key (contact_id, identity_id)
    references identity (contact_id, id) on update cascade,
  constraint conversation_with_identity check ((identity_id is null) = (contact_id is null))
) with (fillfactor = 70);
comment on column conversation.contact_id is 'The contact of the identity, which the reference to the identity enforces; null for a visitor of a widget';
comment on column conversation.filed_under is 'The customer''s id that was known when the conversation began: digits without +, a business-scoped id, an @lid id or another provider id. It never changes';
comment on column conversation.visitor_name is 'The name that a visitor of a widget gave; it is stored here because visitors are no contacts';
comment on column conversation.taken_over_at is 'The time when staff last took over; a run that a member starts later continues while staff handles the conversation';
comment on column conversation.taken_over_until is 'The time when a conversation that staff handles because of the owner''s replies in the provider''s app is given back automatically; null when a person took over';
comment on column conversation.needs_staff is 'True when a member of staff has to look at the conversation, also if staff does not handle it';
comment on column conversation.waiting_since is 'The time of the oldest unanswered message for staff; null when none waits';
comment on column conversation.turn is 'A counter of customer''s messages and handovers; a decision that was made at an older value is obsolete';
comment on column conversation.announced_at is 'The time when conversation.started was raised, or when history brought a message of the customer; null while only the business has written';
comment on column conversation.service_window_ends_at is 'The end of the service window that the customer''s last message opened; null before any message, and on channels without a window';
comment on column conversation.last_text is 'The first 200 characters of the last message';
comment on column conversation.last_sender is 'The sender of the last message, as in message.sender';
comment on column conversation.staff_seen_at is 'The time up to which the team has seen the conversation; later messages of the customer are unread';
comment on column conversation.resolved_by is 'The member who last resolved the conversation; null for the service and for a flow';
comment on column conversation.visitor_email is 'The e-mail address that a visitor of a widget gave';
comment on column conversation.blocked_since is 'The time since which the provider reports that the customer blocks the business; it refuses all messages';
comment on column conversation.language is 'The language of the customer''s last messages, as the assistant recognised it: ar or en';
comment on column conversation.identity_id is 'The identity of the customer; null for a visitor of a widget';
comment on column conversation.last_author_id is 'The member who wrote the last message; null if no member did';
comment on column conversation.latest_minute is 'The minute of the last message, or of the beginning; more messages within a minute update no index';
comment on column conversation.closes_at is 'The end of the service window if the conversation needs staff, else null; messages in other conversations update no index';
create index conversation_contact on conversation (contact_id);
-- The lists of the inbox, each read in its order; the newest by minutes, within which the database sorts. Conversations
-- in which no customer waits come last. The included columns allow the counts to read only the indexes.
create index conversation_latest on conversation (company_id, status, latest_minute desc)
  include (handled_by, taken_over_until);
create index conversation_staff on conversation (company_id, latest_minute desc) include (taken_over_until)
  where status = 'open' and handled_by = 'staff';
create index conversation_unassigned on conversation
  (company_id, coalesce(waiting_since, 'infinity'), id)
  where status = 'open' and needs_staff and assignee_id is null;
create index conversation_mine on conversation
  (company_id, assignee_id, coalesce(waiting_since, 'infinity'), id)
  where status = 'open' and assignee_id is not null;
create index conversation_closing on conversation (company_id, closes_at, id) where closes_at is not null;
create unique index conversation_of_visitor on conversation (channel_id, filed_under) where identity_id is null;
create index conversation_of_identity on conversation (identity_id, channel_id);
create trigger conversation_made after insert on conversation
  referencing new table as made for each statement execute function note_made('conversation');
create trigger conversation_changed after update on conversation
  referencing new table as after for each statement execute function note_changed_rows('conversation');

create table message (
  id text primary key,
  company_id uuid not null,
  conversation_id text not null references conversation,
  channel_id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  sender text not null check (sender in
    ('customer', 'flow', 'assistant', 'staff', 'owner_app', 'broadcast', 'notice')),
  type text not null,
  text text,
  file_id uuid references file on delete set null,
  template_name text,
  template_language text,
  reply_to_provider_id text,
  button_payload text,
  run_id uuid,
  author_id uuid references person,
  -- The foreign key to broadcast is declared with that table.
  broadcast_id uuid,
  -- The foreign key to assistant_reply is declared with that table.
  reply_id uuid,
  send_key text collate "C",
  priority smallint,
  attempt smallint,
  is_imported boolean not null default false,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  transcript text,
  page text,
  joined_from text,
  arrival bigint not null default nextval('line_arrival'),
  earlier_texts jsonb not null default '[]',
  outbound text,
  -- As in webhook_delivery, the columns that sending changes come last, and those that receipts change together.
  provider_message_id text,
  status text,
  error_code text,
  error_detail text,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  shown_at timestamptz,
  deleted_at timestamptz,
  reaction text,
  broadcast_status text generated always as (case when broadcast_id is not null then status end) stored,
  template_failed_at timestamptz generated always as
    (case when template_name is not null and status = 'failed' then occurred_at end) stored,
  unique (send_key, attempt),
  check ((direction = 'out') = (status is not null)),
  check ((claim_id is null) = (lease_expires_at is null)),
  check (status <> 'queued' or (outbound is not null and due_at is not null and attempt is not null
    and priority is not null))
) with (fillfactor = 70);
comment on column message.author_id is 'The member who wrote the message';
comment on column message.broadcast_id is 'The broadcast of the last attempt for a recipient; null for earlier attempts';
comment on column message.run_id is 'The run that sent the message; null once the run is deleted (forget_run)';
comment on column message.send_key is 'The key of a sent message by its sender: run and step number. It keeps a step of a run from writing two messages. It is compared by bytes, so that the messages of a run are a range';
comment on column message.priority is 'The priority within a channel: 1 for staff, 2 for the assistant, 3 for flows and notices of appointments, 4 for broadcasts';
comment on column message.attempt is 'The number of the attempt for its send key, from 1: a retry after a temporary refusal is a separate message';
comment on column message.status is 'The status of a sent message: queued, sending, unknown, accepted, sent, delivered, read, failed or cancelled';
comment on column message.error_detail is 'The reason of a failure: a fact, as JSON text';
comment on column message.is_imported is 'True for a message of a coexistence number''s history, which raises no event';
comment on column message.occurred_at is 'The time at which the message was written, by the provider, or by this service for its own';
comment on column message.outbound is 'JSON text: the content to send (channels, Outbound); it is kept until the message is sent or finally failed';
comment on column message.due_at is 'The time at which a queued message is sent, or a failed one is retried';
comment on column message.claim_id is 'The claim (fencing token) of the process that sends the message; it names the node';
comment on column message.shown_at is 'The time from which a visitor of a widget may read the message, by the clock of the database';
comment on column message.reply_id is 'The reply of the assistant to which the message belongs';
comment on column message.transcript is 'The transcript of a voice note; for a location its description';
comment on column message.page is 'The unverified address of the page on which an enquiry was written';
comment on column message.joined_from is 'The conversation in which the message was written, if that one was joined to this one';
comment on column message.arrival is 'The position in the order in which messages and entries were inserted, which orders those of the same time';
comment on column message.earlier_texts is 'The texts before each edit, the oldest first, each with the time until which it was shown';
comment on column message.deleted_at is 'The time when the author deleted the message at the provider';
comment on column message.broadcast_status is 'The status of a broadcast''s message; null for other messages, which the index therefore leaves out';
comment on column message.template_failed_at is 'The time at which a failed template message was written; null for other messages';
comment on column message.reaction is 'The emoji with which the customer reacted to the message';
create index message_conversation on message (conversation_id, occurred_at desc);
create unique index message_provider_id on message (channel_id, provider_message_id)
  where provider_message_id is not null;
-- The outcomes of a template's last messages, once the provider has accepted or refused them.
create index message_template on message (channel_id, template_name, template_language, occurred_at)
  where template_name is not null and provider_message_id is not null;
create index message_template_failed on message
  (channel_id, template_name, template_language, template_failed_at) where template_failed_at is not null;
create index message_due on message (channel_id, priority, due_at) where due_at is not null and claim_id is null;
create index message_due_at on message (due_at) where due_at is not null and claim_id is null;
-- Claimed messages, which are never many. Their lease ends are in no index, because they change again when a send
-- begins.
create index message_claimed on message (id) where claim_id is not null;
create index message_file on message (file_id) where file_id is not null;
create index message_broadcast on message (broadcast_id, broadcast_status, id) where broadcast_id is not null;
create index message_shown on message (conversation_id, shown_at) where shown_at is not null;
create index message_reply on message (reply_id) where reply_id is not null;
create trigger message_made after insert on message
  referencing new table as made for each statement execute function note_made('message');

create table conversation_join (
  from_id text primary key,
  company_id uuid not null references company,
  into_id text not null references conversation on delete cascade,
  joined_at timestamptz not null
);
comment on table conversation_join is 'Old ids of conversations that were joined to another one, because their customers turned out to be the same';
create index conversation_join_into on conversation_join (into_id);

create table profile_lookup (
  conversation_id text primary key references conversation on delete cascade,
  company_id uuid not null references company,
  due_at timestamptz not null,
  attempt smallint not null default 0,
  claim_id uuid,
  lease_expires_at timestamptz
);
comment on table profile_lookup is 'Conversations whose customer has no name, while their provider is still asked for it';
comment on column profile_lookup.due_at is 'The time of the next lookup, which is the end of the lease during a lookup';
comment on column profile_lookup.claim_id is 'The claim (fencing token) of the process that looks the profile up; it names the node';
create index profile_lookup_due on profile_lookup (due_at);
create index profile_lookup_claimed on profile_lookup (lease_expires_at) where claim_id is not null;

create table template_day (
  account_id uuid not null references account,
  day date not null,
  sent integer not null,
  primary key (account_id, day)
) with (fillfactor = 50);
comment on table template_day is 'The numbers of automated templates of an account with its projects, by UTC day';
create index template_day_day on template_day (day);

create table template_send (
  message_id text primary key,
  account_id uuid not null,
  company_id uuid not null,
  contact_id uuid,
  sent_at timestamptz not null
);
comment on table template_send is 'Sent automated templates of the last 30 days, by which the allowance of a customer is counted';
create index template_send_contact on template_send (contact_id, sent_at desc);
create index template_send_account on template_send (account_id, sent_at);

-- A message becomes visible to a visitor in the transaction that stores it or records that it was sent, and every
-- process with a stream of the visitor is notified. So no message is lost, not even when a process dies in between.
create function show_to_visitor() returns trigger language plpgsql as $$
begin
  new.shown_at := clock_timestamp();
  perform pg_notify('wasla_visitor_notified', new.conversation_id);
  return new;
end $$;
create trigger message_shown_in before insert on message for each row
  when (new.provider_message_id ^@ 'ww:' and new.direction = 'in')
  execute function show_to_visitor();

-- Sent messages become visible by a second update. A trigger before the update would lock the row of every message, on
-- every channel, in a separate record of the WAL.
create function show_sent_to_visitors() returns trigger language plpgsql as $$
declare
  shown_in text;
begin
  if exists (select from after where shown_at is null and direction = 'out' and (status = 'unknown'
    or (provider_message_id ^@ 'ww:' and status in ('accepted', 'sent', 'delivered', 'read'))))
  then
    for shown_in in
      update message set shown_at = clock_timestamp() from after
      where message.id = after.id and after.shown_at is null and after.direction = 'out'
        and after.status in ('unknown', 'accepted', 'sent', 'delivered', 'read')
        and exists (select from channel where channel.id = after.channel_id and type = 'web_widget')
      returning message.conversation_id
    loop
      perform pg_notify('wasla_visitor_notified', shown_in);
    end loop;
  end if;
  return null;
end $$;
create trigger message_shown_out after update on message
  referencing new table as after
  for each statement execute function show_sent_to_visitors();

-- Changes for the live streams of members. A change of a message's claim is none.
create function note_changed_messages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'message', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.status, before.due_at, before.text, before.transcript, before.deleted_at, before.reaction)
      is distinct from
      (after.status, after.due_at, after.text, after.transcript, after.deleted_at, after.reaction);
  end if;
  return null;
end $$;
create trigger message_changed after update on message
  referencing old table as before new table as after
  for each statement execute function note_changed_messages();
