-- Appointments: services, resources with their hours, bookings, reminders and notices.

-- The exclusion constraint of appointment_busy compares ids and time ranges together, for which it needs this extension.
create extension if not exists btree_gist;

create table service (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  name_ar text,
  minutes integer not null check (minutes > 0),
  before_min integer not null default 0 check (before_min >= 0),
  after_min integer not null default 0 check (after_min >= 0),
  step_min integer not null check (step_min > 0),
  is_on boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
comment on table service is 'Services that customers book';
comment on column service.name_ar is 'The name in Arabic; null for name';
comment on column service.minutes is 'The duration of an appointment in elapsed minutes';
comment on column service.before_min is 'The minutes before an appointment during which its resources are occupied';
comment on column service.after_min is 'The minutes after an appointment during which its resources are occupied';
comment on column service.step_min is 'The minutes of wall time between two offered start times, from each opening on';
comment on column service.is_on is 'False when the service is not offered; members may still book it';
comment on column service.deleted_at is 'The time of the deletion; the row stays for its appointments';
create index service_company on service (company_id, id) where deleted_at is null;
create trigger service_made after insert on service
  referencing new table as made for each statement execute function note_made('service');
create trigger service_changed after update on service
  referencing new table as after for each statement execute function note_changed_rows('service');

create table resource (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  name_ar text,
  kind text not null check (kind in ('person', 'room')),
  person_id uuid references person,
  zone text,
  is_on boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check (person_id is null or kind = 'person')
);
comment on table resource is 'Bookable persons and rooms';
comment on column resource.person_id is 'The member; null for a person who is no member, and for a room';
comment on column resource.zone is 'IANA name of the time zone of its hours; null for that of the booking page';
comment on column resource.is_on is 'False when the resource gets no new appointments; existing ones stay';
comment on column resource.deleted_at is 'The time of the deletion; the row stays for its appointments';
create index resource_company on resource (company_id, id) where deleted_at is null;
create trigger resource_made after insert on resource
  referencing new table as made for each statement execute function note_made('resource');
create trigger resource_changed after update on resource
  referencing new table as after for each statement execute function note_changed_rows('resource');

create table service_need (
  service_id uuid not null references service on delete cascade,
  resource_id uuid not null references resource,
  company_id uuid not null references company,
  role text not null default '',
  primary key (service_id, resource_id)
);
comment on column service_need.role is 'The role of the resource: an appointment takes one resource of each role of its service';
create index service_need_resource on service_need (resource_id);

create table opening (
  id uuid primary key,
  company_id uuid not null references company,
  resource_id uuid not null references resource,
  weekday smallint not null check (weekday between 0 and 6),
  from_min integer not null check (from_min >= 0 and from_min < 1440),
  to_min integer not null check (to_min > from_min and to_min <= 2160)
);
comment on table opening is 'The weekly hours of resources';
comment on column opening.weekday is 'The weekday; 0 is Sunday';
comment on column opening.from_min is 'The start in minutes of wall time from midnight of that day';
comment on column opening.to_min is 'The end, as from_min; above 1,440 it is on the next day, up to 36:00';
create index opening_resource on opening (resource_id, weekday);

create table opening_change (
  id uuid primary key,
  company_id uuid not null references company,
  resource_id uuid references resource,
  first_day date not null,
  last_day date not null,
  is_closed boolean not null,
  from_min integer check (from_min >= 0 and from_min < 1440),
  to_min integer check (to_min > from_min and to_min <= 2160),
  name text,
  created_at timestamptz not null,
  check (first_day <= last_day),
  check (is_closed = (from_min is null) and is_closed = (to_min is null))
);
comment on table opening_change is 'Days with different hours, or none. The narrowest range of days applies; rows of the same range are one split day';
comment on column opening_change.resource_id is 'The resource; null for all resources of the company';
comment on column opening_change.name is 'A name for members';
create index opening_change_company on opening_change (company_id, last_day);

create table booking_page (
  company_id uuid primary key references company,
  slug text unique check (slug ~ '^[a-z0-9](-?[a-z0-9])*$'),
  is_on boolean not null default false,
  zone text,
  min_notice_min integer not null check (min_notice_min >= 0),
  max_days integer not null check (max_days > 0),
  cancel_until_min integer not null check (cancel_until_min >= 0),
  name text,
  name_ar text,
  intro text,
  intro_ar text,
  address text,
  address_ar text,
  phone text,
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  background text check (background ~ '^#[0-9a-f]{6}$'),
  updated_at timestamptz not null,
  notice_channel_id uuid references channel,
  notice_template text,
  check (not is_on or slug is not null)
);
comment on table booking_page is 'The booking settings of companies; without a row the defaults of the reference apply and there is no page';
comment on column booking_page.slug is 'The last part of the public page''s address, /b/{slug}; unique among all companies';
comment on column booking_page.zone is 'IANA name of the time zone of days and hours; null for that of the company';
comment on column booking_page.min_notice_min is 'Minimum time between a booking and its start, in elapsed minutes';
comment on column booking_page.max_days is 'The number of days ahead that customers may book';
comment on column booking_page.cancel_until_min is 'Minimum time in minutes before the start at which the customer''s link cancels';
comment on column booking_page.name is 'The shop''s name for customers; null for the company''s name';
comment on column booking_page.address is 'The address of the shop, shown with an appointment';
comment on column booking_page.phone is 'The phone number that the page shows with an appointment';
comment on column booking_page.colour is 'The colour of buttons and marks as #rrggbb; the page chooses the colour of their text';
comment on column booking_page.background is 'The colour behind the page as #rrggbb';
comment on column booking_page.notice_channel_id is 'The channel of the template for customers without a conversation that allows a message';
comment on column booking_page.notice_template is 'The name of that template; null to send none';

-- A booking page has no separate id: its company identifies it.
create function note_booking_pages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'booking_page', after.company_id
    from after join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger booking_page_made after insert on booking_page
  referencing new table as after for each statement execute function note_booking_pages();
create trigger booking_page_changed after update on booking_page
  referencing new table as after for each statement execute function note_booking_pages();

create table appointment (
  id uuid primary key,
  company_id uuid not null references company,
  reference text not null,
  service_id uuid not null references service,
  service_name text not null,
  service_name_ar text,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  zone text not null,
  local_start text not null,
  status text not null default 'confirmed'
    check (status in ('confirmed', 'cancelled', 'completed', 'no_show')),
  contact_id uuid references contact,
  conversation_id text references conversation,
  customer_name text,
  phone text check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  raw_phone text,
  email text,
  language text,
  source text not null check (source in ('assistant', 'booking_page', 'flow', 'staff')),
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('link', 'assistant', 'flow', 'member')),
  cancellation_reason text,
  request_key text not null,
  version integer not null default 1,
  created_by uuid references person,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (company_id, reference),
  unique (company_id, request_key),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status = 'cancelled') = (cancelled_by is not null))
);
comment on column appointment.reference is 'The reference for people: short, without letters that look alike';
comment on column appointment.service_name is 'The name of the service at the booking';
comment on column appointment.zone is 'IANA name of the time zone of the appointment''s wall time';
comment on column appointment.local_start is 'The wall time of the start at the booking, YYYY-MM-DDTHH:MM. If newer zone data give another one, members are asked';
comment on column appointment.customer_name is 'The customer''s name as given at the booking';
comment on column appointment.phone is 'E.164; only if the number was given with its country';
comment on column appointment.raw_phone is 'A number without its country, as given';
comment on column appointment.request_key is 'The idempotency key: a repeated request books once';
comment on column appointment.version is 'A number that grows with each move and cancellation; SEQUENCE in calendars';
create index appointment_start on appointment (company_id, starts_at, id);
create index appointment_contact on appointment (contact_id, starts_at) where contact_id is not null;
create index appointment_conversation on appointment (conversation_id)
  where conversation_id is not null;
create index appointment_phone on appointment (company_id, coalesce(phone, raw_phone), starts_at)
  where status = 'confirmed' and coalesce(phone, raw_phone) is not null;
create index appointment_email on appointment (company_id, lower(email), starts_at)
  where status = 'confirmed' and email is not null;
create index appointment_service on appointment (service_id, starts_at) where status = 'confirmed';
alter table action_proposal add foreign key (appointment_id) references appointment on delete cascade;
create trigger appointment_made after insert on appointment
  referencing new table as made for each statement execute function note_made('appointment');
create trigger appointment_changed after update on appointment
  referencing new table as after for each statement execute function note_changed_rows('appointment');

create table appointment_busy (
  appointment_id uuid not null references appointment on delete cascade,
  resource_id uuid not null references resource,
  company_id uuid not null references company,
  busy tstzrange not null check (not isempty(busy)),
  is_free boolean not null default false,
  primary key (appointment_id, resource_id),
  constraint appointment_busy_once exclude using gist (resource_id with =, busy with &&)
    where (not is_free)
);
comment on table appointment_busy is 'The times at which resources are occupied, including buffers; they never overlap for one resource';
comment on column appointment_busy.is_free is 'True when the appointment was cancelled and the time can be booked again';

create table appointment_link (
  token_hash bytea primary key,
  company_id uuid not null references company,
  appointment_id uuid not null references appointment on delete cascade,
  created_at timestamptz not null
);
comment on table appointment_link is 'Secret links of customers to one appointment. Each notification has a new one, and all are valid until 90 days after its end';
create index appointment_link_created on appointment_link (created_at);
create index appointment_link_appointment on appointment_link (appointment_id);

create table appointment_entry (
  id uuid primary key,
  company_id uuid not null references company,
  appointment_id uuid not null references appointment on delete cascade,
  kind text not null check (kind in ('booked', 'moved', 'cancelled', 'completed', 'no_show')),
  actor_kind text not null check (actor_kind in ('member', 'customer', 'flow', 'assistant')),
  actor_id uuid,
  data jsonb not null default '{}',
  at timestamptz not null
);
comment on table appointment_entry is 'Actions on an appointment, kept as long as the appointment';
comment on column appointment_entry.actor_id is 'The person id of the member, or the id of the flow''s run';
comment on column appointment_entry.data is 'The data of its kind, which the service writes';
create index appointment_entry_line on appointment_entry (appointment_id, at, id);

create table reminder_flow (
  flow_id uuid primary key references flow,
  company_id uuid not null references company,
  minutes_before integer not null check (minutes_before > 0)
);
comment on table reminder_flow is 'Published flows that remind of appointments; whether a flow is on is checked when a reminder is due';
create index reminder_flow_company on reminder_flow (company_id);

create table reminder (
  appointment_id uuid not null references appointment on delete cascade,
  flow_id uuid not null references flow,
  version integer not null,
  company_id uuid not null references company,
  due_at timestamptz not null,
  state text not null check (state in ('pending', 'started', 'skipped', 'stopping', 'stopped')),
  run_id uuid references flow_run on delete set null,
  reason text,
  primary key (appointment_id, flow_id, version)
);
comment on table reminder is 'Reminders: when one is due, a run of its flow is started';
comment on column reminder.version is 'The version of the appointment for which the reminder was planned';
comment on column reminder.state is 'The state; stopping means that the appointment was cancelled and the started run has to end';
comment on column reminder.reason is 'The reason why the reminder was skipped: a fact, as JSON text';
create index reminder_due on reminder (due_at) where state in ('pending', 'stopping');
create index reminder_old on reminder (due_at) where state not in ('pending', 'stopping');
create index reminder_planned on reminder (flow_id) where state = 'pending';
create index reminder_run on reminder (run_id) where run_id is not null;

create table calendar_link (
  id uuid primary key,
  company_id uuid not null references company,
  person_id uuid not null references person,
  resource_id uuid references resource,
  token_hash bytea not null unique,
  created_at timestamptz not null
);
comment on table calendar_link is 'Secret addresses at which a member''s calendar program reads appointments; a link ends with the membership';
comment on column calendar_link.resource_id is 'The resource; null for the appointments of all';
create unique index calendar_link_of on calendar_link
  (company_id, person_id, coalesce(resource_id, '00000000-0000-0000-0000-000000000000'));

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
  claim_id uuid,
  lease_expires_at timestamptz,
  unique (appointment_id, version),
  check ((state in ('pending', 'mailing')) = (due_at is not null))
);
comment on table appointment_notice is 'Notices to customers about their appointments: one row for each booking, move and cancellation of which the customer has to be notified';
comment on column appointment_notice.version is 'The version of the appointment that the notice describes; a later change has a notice that describes it';
comment on column appointment_notice.actor_kind is 'The actor of the change; notices of changes that customers make on a page are limited for each recipient and company';
comment on column appointment_notice.state is 'The state; queued is a message of the outbox. mailing is an e-mail that is being sent; after its lease it is unknown, and is not sent again';
comment on column appointment_notice.due_at is 'The time of the next attempt; the end of the lease of a claimed notice';
comment on column appointment_notice.recipient_hash is 'SHA-256 of the company and the number or e-mail address of the recipient';
comment on column appointment_notice.message_id is 'The message of the notice; null for an e-mail';
comment on column appointment_notice.claim_id is 'The claim (fencing token) of the process that sends the notice; it names the node';
comment on column appointment_notice.reason is 'The reason why the customer was not notified: a fact, as JSON text';
create index appointment_notice_due on appointment_notice (due_at) where due_at is not null;
create index appointment_notice_claimed on appointment_notice (lease_expires_at) where claim_id is not null;
create index appointment_notice_told on appointment_notice (company_id, settled_at)
  where actor_kind = 'customer' and state in ('queued', 'mailing', 'mailed', 'unknown');

-- Live streams report an appointment whose notices changed.
create function note_told_appointments() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select distinct pg_current_xact_id()::text::bigint, after.company_id, 'appointment', after.appointment_id
    from after join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger appointment_notice_changed after update on appointment_notice
  referencing new table as after for each statement execute function note_told_appointments();
