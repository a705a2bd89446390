-- What customers are told of their appointments: of a booking, a move and a cancellation, once each.

create table appointment_notice (
  id uuid primary key,
  company_id uuid not null references company,
  appointment_id uuid not null references appointment on delete cascade,
  version integer not null,
  kind text not null check (kind in ('booked', 'moved', 'cancelled')),
  actor_kind text not null check (actor_kind in ('customer', 'member')),
  state text not null default 'pending'
    check (state in ('pending', 'queued', 'mailing', 'mailed', 'skipped', 'unknown')),
  due_at timestamptz,
  mail_attempts smallint not null default 0,
  recipient_hash bytea,
  message_id text,
  reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (appointment_id, version),
  check ((state in ('pending', 'mailing')) = (due_at is not null))
);
comment on table appointment_notice is 'What a customer is told of an appointment: one row for each booking, move and cancellation that others have to tell them of';
comment on column appointment_notice.version is 'Of the appointment that is told: what has changed since is told by the notice of that change';
comment on column appointment_notice.actor_kind is 'Whose act it tells of: what the customer does on a page is bounded for each recipient and company';
comment on column appointment_notice.state is 'queued: a message of the outbox. mailing: an e-mail is being handed over; after its lease it is unknown, and not sent again';
comment on column appointment_notice.due_at is 'While pending: when it is told. While mailing: when its lease ends';
comment on column appointment_notice.recipient_hash is 'SHA-256 of the company and the number or e-mail address that is told';
comment on column appointment_notice.message_id is 'The message that tells it; null of an e-mail';
comment on column appointment_notice.reason is 'Why it was not told: a fact, as JSON text';
create index appointment_notice_due on appointment_notice (due_at) where due_at is not null;
create index appointment_notice_told on appointment_notice (company_id, settled_at)
  where actor_kind = 'customer' and state in ('queued', 'mailing', 'mailed', 'unknown');

alter table booking_page add column notice_channel_id uuid references channel;
alter table booking_page add column notice_template text;
comment on column booking_page.notice_channel_id is 'On which customers are told by a template who cannot be told in a conversation';
comment on column booking_page.notice_template is 'The name of that template; null: they are not told by one';

-- Who looks at an appointment sees what became of its notices.
create function note_told_appointments() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, noun, id)
    select distinct pg_current_xact_id()::text::bigint, after.company_id, 'appointment', after.appointment_id
    from after join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger appointment_notice_changed after update on appointment_notice
  referencing new table as after for each statement execute function note_told_appointments();

-- The service itself says it, for no member and no flow. Rows that are there have one of the words before.
alter table message drop constraint message_sender_check;
alter table message add constraint message_sender_check check (sender in
  ('customer', 'flow', 'assistant', 'staff', 'owner_app', 'broadcast', 'notice')) not valid;
comment on column message.lane is 'What of a channel goes first: 1 staff, 2 the assistant, 3 flows and notices of appointments, 4 broadcasts';

-- Who of the team wrote last: a list says "You" to nobody else.
alter table conversation add column last_author_id uuid;
comment on column conversation.last_author_id is 'The person who wrote what was said last; null where no member did';
