-- Conversations, what was said in them, and how many templates were sent unasked.

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
  -- As in message: what each message changes comes last.
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
  constraint conversation_identity foreign key (identity_id, contact_id)
    references identity (id, contact_id) on update cascade,
  constraint conversation_with_identity check ((identity_id is null) = (contact_id is null))
) with (fillfactor = 70);
comment on column conversation.contact_id is 'The identity''s contact, which the reference to the identity holds too; null for a web widget visitor';
comment on column conversation.filed_under is 'The id of the customer that was known when it began: digits without +, a business-scoped id, an @lid id, a provider id; never changed';
comment on column conversation.visitor_name is 'As a visitor of a widget has called themselves; kept here, for they are no contact';
comment on column conversation.taken_over_at is 'When staff last took it over: a run that a member starts after that goes on beside staff';
comment on column conversation.taken_over_until is 'While handled_by is staff by the owner''s replies from the provider''s app: when it is given back by itself; null: a person has it until they give it back';
comment on column conversation.needs_staff is 'Somebody of the staff is to look at it, whoever handles it';
comment on column conversation.waiting_since is 'The oldest message for staff that nobody has answered; null when none waits';
comment on column conversation.turn is 'Grows with each message of the customer and each change of hands: what was decided at an older one is out of date';
comment on column conversation.announced_at is 'When conversation.started was raised, or history told of a message of the customer; null while only the business has written';
comment on column conversation.service_window_ends_at is 'When the window for replies closes that the customer''s last message opened; null when they never wrote, and on channels without a window';
comment on column conversation.last_text is 'The first 200 characters of the last message';
comment on column conversation.last_sender is 'As message.sender';
comment on column conversation.staff_seen_at is 'One mark for the team: messages of the customer after it are unread';
comment on column conversation.resolved_by is 'Who resolved it last; null for the service and for a flow';
comment on column conversation.visitor_email is 'As a visitor of a widget has written it';
comment on column conversation.blocked_since is 'The customer lets nobody write here since then, as the provider tells; what is sent is refused by it';
comment on column conversation.language is 'Of the customer''s last messages, as the assistant read it: ar or en';
comment on column conversation.identity_id is 'Whom it is with; null for a web widget visitor';
comment on column conversation.last_author_id is 'The person who wrote what was said last; null where no member did';
comment on column conversation.latest_minute is 'The minute of the last message, or of the beginning: messages of one minute write no index';
comment on column conversation.closes_at is 'When the window for replies closes, where staff is needed: other customers'' messages write no index';
create index conversation_contact on conversation (contact_id);
-- The lists of the inbox, each read in its order; the newest by minutes, of which the database sorts one after the
-- other. One that nobody waits in comes after all that wait. What is included is what the counts ask beside: they
-- read the indexes alone.
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
  -- References broadcast; declared there.
  broadcast_id uuid,
  -- References assistant_reply; declared there.
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
  -- What changes as it is sent comes last, side by side: an update logs what is between the first and the last change.
  status text,
  provider_message_id text,
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
comment on column message.author_id is 'The member who wrote it';
comment on column message.broadcast_id is 'Of the last try of what it sends to a recipient; null of the tries before';
comment on column message.run_id is 'The run that sent it; null once that is deleted: see forget_run';
comment on column message.send_key is 'Of what the service sends, by its sender: run and step number. One step of one run never writes two messages. Compared by bytes, so that the messages of a run are a range';
comment on column message.priority is 'What of a channel goes first: 1 staff, 2 the assistant, 3 flows and notices of appointments, 4 broadcasts';
comment on column message.attempt is 'Of the send of its key, from 1: what the provider refuses for now is tried again as a message of its own';
comment on column message.status is 'Of a sent message: queued, sending, unknown, accepted, sent, delivered, read, failed, cancelled';
comment on column message.error_detail is 'Why it failed: a fact, as JSON text';
comment on column message.is_imported is 'History that came with a coexistence number: raises nothing';
comment on column message.occurred_at is 'When the provider says it was written, or when we wrote it';
comment on column message.outbound is 'JSON text: channels, Outbound; kept until it is sent, or will not be tried again';
comment on column message.due_at is 'While queued: when it is to be sent. While failed: when it is tried again';
comment on column message.claim_id is 'Of the process that has it in hand; names its node';
comment on column message.shown_at is 'In a widget: since when the visitor may read it, by the database''s clock';
comment on column message.reply_id is 'The reply of the assistant that it is a part of';
comment on column message.transcript is 'What a voice note was heard to say; of a location where it is, in words';
comment on column message.page is 'Of an enquiry: the address of the page with the form, as that page tells it; nobody has proved it';
comment on column message.joined_from is 'The conversation in which it was said, where that was joined to this one';
comment on column message.arrival is 'Its place in the order in which messages and entries were written: decides between those of one time';
comment on column message.earlier_texts is 'What it said before each edit, oldest first: text, and until when it said so';
comment on column message.deleted_at is 'When whoever wrote it deleted it at the provider';
comment on column message.broadcast_status is 'The status of what a broadcast sends: the statuses of other messages are in no index';
comment on column message.template_failed_at is 'Of a template that failed, when it was written';
comment on column message.reaction is 'The emoji that the customer has put on it';
create index message_conversation on message (conversation_id, occurred_at desc);
create unique index message_provider_id on message (channel_id, provider_message_id)
  where provider_message_id is not null;
-- What became of a template lately, once the provider has accepted or refused it.
create index message_template on message (channel_id, template_name, template_language, occurred_at)
  where template_name is not null and provider_message_id is not null;
create index message_template_failed on message
  (channel_id, template_name, template_language, template_failed_at) where template_failed_at is not null;
create index message_due on message (channel_id, priority, due_at) where due_at is not null and claim_id is null;
create index message_due_at on message (due_at) where due_at is not null and claim_id is null;
-- Of what is under way, which is never much: when its lease ends changes again as it begins.
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
comment on table conversation_join is 'Where the id of a conversation leads whose customer turned out to be the one of another: what was said in it stands there';
create index conversation_join_into on conversation_join (into_id);

create table profile_lookup (
  conversation_id text primary key references conversation on delete cascade,
  company_id uuid not null references company,
  due_at timestamptz not null,
  attempt smallint not null default 0,
  claim_id uuid,
  lease_expires_at timestamptz
);
comment on table profile_lookup is 'Conversations whose customer has no name yet, while their provider is still to be asked for it';
comment on column profile_lookup.due_at is 'When it is asked next; while it is asked, the end of the lease';
comment on column profile_lookup.claim_id is 'Of the process that asks; names its node';
create index profile_lookup_due on profile_lookup (due_at);
create index profile_lookup_claimed on profile_lookup (lease_expires_at) where claim_id is not null;

create table template_day (
  account_id uuid not null references account,
  day date not null,
  sent integer not null,
  primary key (account_id, day)
) with (fillfactor = 50);
comment on table template_day is 'Automated templates of an account and its projects, by UTC day';
create index template_day_day on template_day (day);

create table template_send (
  message_id text primary key,
  account_id uuid not null,
  company_id uuid not null,
  contact_id uuid,
  run_id uuid not null,
  sent_at timestamptz not null
);
comment on table template_send is 'Automated templates, kept 30 days; a customer''s allowance is counted here';
create index template_send_contact on template_send (contact_id, sent_at desc);
create index template_send_account on template_send (account_id, sent_at);

-- A visitor is shown what they said and what was sent to them in the transaction that makes it so, and whoever
-- holds their streams is told, in whatever process. Nothing can be lost between a widget and us: what a process
-- that died has left open is there too.
create function show_to_visitor() returns trigger language plpgsql as $$
begin
  if new.status = 'unknown' and not exists (
    select from channel where id = new.channel_id and type = 'web_widget'
  ) then
    return new;
  end if;
  new.shown_at := clock_timestamp();
  perform pg_notify('wasla_visitor_notified', new.conversation_id);
  return new;
end $$;
create trigger message_shown_in before insert on message for each row
  when (new.provider_message_id ^@ 'ww:' and new.direction = 'in')
  execute function show_to_visitor();
create trigger message_shown_out before update of status on message for each row
  when (new.shown_at is null and new.direction = 'out' and (new.status = 'unknown'
    or (new.provider_message_id ^@ 'ww:' and new.status in ('accepted', 'sent', 'delivered', 'read'))))
  execute function show_to_visitor();

-- What members watch. A message that only changes hands among processes has not changed for them.
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
