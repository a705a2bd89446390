-- Events, the endpoints they go to, what became of each delivery, and the log of it.
-- fillfactor, here and in other files: rows that change soon after they were written, or again and again,
-- find room for it on their page.
-- An update writes no index (it is HOT) where it changes no column of an index, of its condition included. So
-- columns that change in the life of most rows, as a status does, are in no index. A column that is generated
-- from them, and null for most rows, is in one instead.
-- Rows that are written for every request reference no table of which no row is ever deleted: each reference
-- locks a row that all of them share.

create table event (
  id uuid primary key,
  company_id uuid not null,
  type text not null,
  conversation_id text,
  contact_id uuid,
  run_id uuid,
  is_test boolean not null default false,
  occurred_at timestamptz not null
) partition by range (id);
comment on table event is 'A partition a week; see make_day. It is kept while a resend of one of its events is';
comment on column event.id is 'UUIDv7; a merchant sees evt_ and its 32 hex characters';
create index event_type on event (company_id, type, id desc);
create index event_conversation on event (conversation_id, id desc) where conversation_id is not null;
create index event_contact on event (contact_id, id desc) where contact_id is not null;
create index event_run on event (run_id, id desc) where run_id is not null;

create table event_body (
  id uuid not null,
  api_version text not null,
  body bytea not null,
  primary key (id, api_version)
) partition by range (id);
comment on table event_body is 'A partition a day, made ahead and dropped whole; see make_day';
comment on column event_body.id is 'The event''s id; of a resend the delivery''s id, so that its copy is kept as long as the resend';
comment on column event_body.body is 'The exact bytes of the envelope, frozen when the event was written; shared by endpoints and retries';

create table endpoint (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  url text not null,
  api_version text not null,
  event_types text[] not null,
  is_on boolean not null default true,
  off_reason text,
  off_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (is_on = (off_at is null))
);
comment on column endpoint.off_reason is 'failures_in_row, failing_for_days, gone or by_member';
create index endpoint_of_company on endpoint (company_id);
-- Whose deliveries are to be held or cancelled.
create index endpoint_off on endpoint (off_at) where off_at is not null;
create index endpoint_deleted on endpoint (deleted_at) where deleted_at is not null;

create table endpoint_secret (
  id uuid primary key,
  company_id uuid not null references company,
  endpoint_id uuid not null references endpoint,
  secret text not null,
  last_four text not null,
  signs_until timestamptz,
  created_at timestamptz not null
);
comment on column endpoint_secret.secret is 'Encrypted: v1.<key id>.<nonce>.<ciphertext and tag>, bound to this row';
comment on column endpoint_secret.signs_until is 'Null for the current secret; the end of the overlap for the one before it';
create index endpoint_secret_endpoint on endpoint_secret (endpoint_id, created_at desc);

create table endpoint_health (
  endpoint_id uuid primary key references endpoint,
  company_id uuid not null references company,
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  warned_at timestamptz,
  slots smallint not null default 8 check (slots between 1 and 8),
  last_success_at timestamptz,
  last_failure_at timestamptz
) with (fillfactor = 70);
comment on column endpoint_health.failures_in_row is 'Failed attempts since the last success, tests left out';
comment on column endpoint_health.warned_at is 'When the owner was warned of the present row of failures';
comment on column endpoint_health.slots is 'Attempts that may be in flight at once: 1 while it fails, back to 8 by successes';

create table webhook_delivery (
  id uuid primary key,
  company_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  api_version text not null,
  kind text not null check (kind in ('event', 'resend', 'test')),
  body_id uuid not null,
  resend_of uuid,
  job_id uuid,
  state text not null check (state in
    ('pending', 'delivered', 'dead_lettered', 'held', 'superseded', 'cancelled', 'expired')),
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  last_ms integer,
  created_at timestamptz not null,
  ended_at timestamptz,
  odd_state text generated always as
    (case when last_error is not null or state not in ('pending', 'delivered') then state end) stored,
  odd_status smallint generated always as
    (case when last_status not between 200 and 299 then last_status end) stored,
  slow_ms integer generated always as (case when last_ms > 5000 then last_ms end) stored
) partition by range (id);
comment on table webhook_delivery is 'One event to one endpoint, as the log shows it; id is X-Service-Delivery. A partition a week; see make_day';
comment on column webhook_delivery.id is 'Begins with the first half of the event''s id, except for a resend: deliveries_of finds those of an event';
comment on column webhook_delivery.body_id is 'Which event_body is sent: the event''s, or the copy of a resend';
comment on column webhook_delivery.resend_of is 'The delivery that a person sent again';
comment on column webhook_delivery.job_id is 'The job that resent or released it';
comment on column webhook_delivery.last_status is 'HTTP status of the last attempt; null when no answer came';
comment on column webhook_delivery.last_error is 'Why the last attempt failed, in one word; null after a success';
comment on column webhook_delivery.last_ms is 'Milliseconds that the last attempt took; null before the first';
comment on column webhook_delivery.odd_state is 'The state, but for what is delivered and for what waits and has not failed yet';
comment on column webhook_delivery.odd_status is 'The last status, but for 200 to 299';
comment on column webhook_delivery.slow_ms is 'The milliseconds of the last attempt, where it was slow';
-- The resends of an event, and the oldest event that was resent.
create index webhook_delivery_resent on webhook_delivery (event_id) where kind = 'resend';
-- The filters of the log. Each begins with the endpoint: a page of a company is put together from its
-- endpoints'. What is delivered at once is in the first of them alone, and by its delivery in no other.
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_state on webhook_delivery (endpoint_id, odd_state, id desc)
  where odd_state is not null;
create index webhook_delivery_status on webhook_delivery (endpoint_id, odd_status, id desc)
  where odd_status is not null;
create index webhook_delivery_error on webhook_delivery (endpoint_id, last_error, id desc)
  where last_error is not null;
create index webhook_delivery_kind on webhook_delivery (endpoint_id, kind, id desc)
  where kind <> 'event';
create index webhook_delivery_slow on webhook_delivery (endpoint_id, id desc)
  where slow_ms is not null;
create index webhook_delivery_resend_of on webhook_delivery (resend_of, id desc)
  where resend_of is not null;
create index webhook_delivery_job on webhook_delivery (job_id) where job_id is not null;

-- A row for each delivery that is pending or held, deleted in the transaction that ends it.
create table delivery_queue (
  id uuid primary key,
  company_id uuid not null,
  endpoint_id uuid not null,
  kind text not null check (kind in ('event', 'resend', 'test')),
  queue text not null check (queue in ('first', 'retry', 'test', 'later', 'held')),
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  check ((queue = 'held') = (due_at is null)),
  check ((claim_id is null) = (lease_expires_at is null))
) with (vacuum_truncate = off);
-- The planner goes by the size of the file. In one that keeps some pages, rows are looked up by an index even by a
-- plan that was made, and kept, while nothing waited.
insert into delivery_queue (id, company_id, endpoint_id, kind, queue)
select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'event', 'held'
from generate_series(1, 4000);
delete from delivery_queue;
comment on table delivery_queue is 'Deliveries that wait or are under way: exactly those whose state is pending or held';
comment on column delivery_queue.id is 'The delivery''s';
comment on column delivery_queue.queue is 'Where what is due waits: first attempts of events, retries and resends (retry), or tests. later: not due, or not seen to be due yet. held: waits for its endpoint or its plan';
comment on column delivery_queue.due_at is 'When the next attempt may start; null exactly while held';
-- What is due waits in a queue, what is due later does not: a claim never looks at what must wait.
create index delivery_queue_waiting on delivery_queue (queue, endpoint_id, due_at)
  where claim_id is null;
create index delivery_queue_later on delivery_queue (due_at)
  where queue = 'later' and claim_id is null;
-- Whose lease has ended, and how many are in flight, of whom.
create index delivery_queue_in_flight on delivery_queue (company_id, endpoint_id, lease_expires_at)
  where claim_id is not null;
create trigger webhook_delivery_made after insert on webhook_delivery
  referencing new table as made for each statement execute function note_made('delivery');

create function note_changed_deliveries() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'delivery', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.state, before.attempts) is distinct from (after.state, after.attempts);
  end if;
  return null;
end $$;
create trigger webhook_delivery_changed after update on webhook_delivery
  referencing old table as before new table as after
  for each statement execute function note_changed_deliveries();

-- No references: a day of attempts is dropped without a lock on another table.
create table delivery_attempt (
  id uuid not null,
  company_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  number smallint not null,
  url text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  dns_ms integer,
  connect_ms integer,
  answer_ms integer,
  http_status smallint,
  error text,
  error_detail text,
  remote_address text,
  answer_headers bytea,
  headers_are_cut boolean,
  answer_head bytea,
  answer_is_cut boolean,
  signed_with text[] not null,
  is_late boolean not null default false,
  primary key (delivery_id, id)
) partition by range (delivery_id);
comment on table delivery_attempt is 'A partition a day of the deliveries'' making; see make_day';
comment on column delivery_attempt.number is '1 to 8 within its delivery';
comment on column delivery_attempt.headers_are_cut is 'There were more headers than answer_headers; null without an answer';
comment on column delivery_attempt.answer_head is 'The first 2,048 bytes of the answer, as they came';
comment on column delivery_attempt.answer_is_cut is 'There was, or may have been, more of the body than answer_head; null without an answer';
comment on column delivery_attempt.signed_with is 'Last four characters of each secret that signed';
comment on column delivery_attempt.is_late is 'Finished after its lease had gone to another worker: logged, counted for nothing';

create table delivery_hour (
  endpoint_id uuid not null references endpoint,
  company_id uuid not null references company,
  hour timestamptz not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  duration_ms bigint not null default 0,
  primary key (endpoint_id, hour)
) with (fillfactor = 70);
comment on table delivery_hour is 'Attempts by endpoint and hour, for graphs; tests left out';
comment on column delivery_hour.duration_ms is 'Of all these attempts together';
create index delivery_hour_hour on delivery_hour (hour);

create table resend_job (
  id uuid primary key,
  company_id uuid not null references company,
  endpoint_id uuid not null references endpoint,
  kind text not null check (kind in ('resend', 'held')),
  filter text not null,
  pace smallint not null check (pace between 1 and 50),
  state text not null check (state in ('running', 'paused', 'done', 'cancelled')),
  reason text,
  before_id uuid not null,
  position uuid not null,
  matched integer not null,
  is_matched_least boolean not null,
  made integer not null default 0,
  passed_over integer not null default 0,
  due_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'running') = (due_at is not null)),
  check ((state in ('done', 'cancelled')) = (ended_at is not null))
);
comment on table resend_job is 'Resends, or releases what was held, of one endpoint: step by step, the oldest first';
comment on column resend_job.kind is 'resend makes new deliveries; held lets held ones go';
comment on column resend_job.filter is 'JSON text: which deliveries are meant';
comment on column resend_job.pace is 'Deliveries a second';
comment on column resend_job.reason is 'Why it is paused or was cancelled: by_member, endpoint_off, endpoint_deleted, not_in_plan';
comment on column resend_job.before_id is 'Only deliveries whose id is lower: what comes after the job was made is not its own';
comment on column resend_job.position is 'The last delivery that it looked at';
comment on column resend_job.matched is 'How many deliveries it found at its making; at least so many where is_matched_least';
comment on column resend_job.made is 'Deliveries that it has sent on their way';
comment on column resend_job.passed_over is 'Deliveries whose body is no longer kept';
comment on column resend_job.due_at is 'When its next step is due; set exactly while it runs';
create index resend_job_company on resend_job (company_id, id desc);
create unique index resend_job_unfinished on resend_job (endpoint_id)
  where state in ('running', 'paused');
create index resend_job_due on resend_job (due_at) where due_at is not null;
create index resend_job_ended on resend_job (ended_at) where ended_at is not null;

-- The partitions. Ids are UUIDv7: a day is a range of ids. There is no default partition, so that one can be detached
-- and dropped without holding anything up. Bodies and attempts, which are most of the log, have a partition a day.
-- Events and deliveries are looked up by other columns, too, which plans of every partition: they have one a week.
create function oldest_id_at(at timestamptz) returns uuid immutable language sql as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid
$$;

create function day_of_id(id uuid) returns date immutable language sql as $$
  select (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone 'UTC')::date
$$;

create function make_day(day date) returns void language plpgsql as $$
declare
  parent text;
  is_weekly boolean;
  first_day date;
  partition text;
begin
  foreach parent in array array['event', 'event_body', 'webhook_delivery', 'delivery_attempt'] loop
    is_weekly := parent in ('event', 'webhook_delivery');
    first_day := case when is_weekly then date_trunc('week', day::timestamp) else day end;
    partition := format('%s_%s', parent, to_char(first_day, 'YYYYMMDD'));
    continue when to_regclass(partition) is not null;
    -- Another node may be making it at this moment; the look-up above is cached, this one is not.
    perform pg_advisory_xact_lock(hashtext('make_day'));
    continue when exists (select from pg_class
      where relname = partition and relnamespace = current_schema()::regnamespace);
    -- A partition inherits no storage parameters.
    execute format('create table %I (like %I including all) with (fillfactor = %s)', partition, parent,
      case parent when 'webhook_delivery' then 80 else 100 end);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, partition, oldest_id_at(first_day::timestamp at time zone 'UTC'),
      oldest_id_at((first_day + case when is_weekly then 7 else 1 end)::timestamp at time zone 'UTC'));
  end loop;
end $$;
comment on function make_day is 'Makes the partitions that rows of a day (UTC) go to, where they are missing';

-- The id of a delivery that is made with its event: a range of the key has those of one event, in the event's own week.
create function new_delivery_id(event_id uuid) returns uuid volatile language sql as $$
  select (left(event_id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid
$$;

-- Bounds resends of an event from below, for the sake of partitions alone: some hours are rounded off, as the clocks of
-- two nodes differ.
create function oldest_resend(event_id uuid) returns uuid immutable language sql as $$
  select (left(event_id::text, 6) || '00-0000-0000-0000-000000000000')::uuid
$$;

create function deliveries_of(event_id uuid) returns setof webhook_delivery stable language sql as $$
  select * from webhook_delivery delivery
  where delivery.id between (left($1::text, 18) || '-0000-000000000000')::uuid
      and (left($1::text, 18) || '-ffff-ffffffffffff')::uuid
    and delivery.event_id = $1 and delivery.kind <> 'resend'
  union all
  select * from webhook_delivery delivery
  where delivery.id > oldest_resend($1) and delivery.event_id = $1 and delivery.kind = 'resend'
$$;
comment on function deliveries_of is 'The deliveries of an event: those made with it by their ids, resends by their index';

-- A time-ordered id for rows that a statement makes by itself.
create function new_uuid_v7(at timestamptz) returns uuid language sql volatile as $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
          from 1 for 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;
