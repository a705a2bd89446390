-- Events, endpoints, deliveries and their log.
-- fillfactor, here and in other files: rows that change soon after their insertion, or often, get their new versions on
-- the same page.
-- An update writes no index (HOT) if it changes no column of an index or of its condition. So columns that change in
-- most rows, such as a status, are in no index. A column that is generated from them, and null for most rows, is in the
-- index instead.
-- Tables with a row for every request have no foreign keys to tables whose rows are never deleted: each new row would
-- lock a row that all of them share.

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
comment on table event is 'Events, partitioned by week; see make_day. A partition is kept while a resend of one of its events is kept';
comment on column event.id is 'A UUIDv7, which merchants see as evt_ and its 32 hexadecimal digits';
-- The types of events that are not frequent (core/vocabulary/events). The log finds frequent ones among its newest
-- deliveries.
create index event_type on event (company_id, type, id desc) where type not in
  ('message.received', 'conversation.started', 'contact.created', 'contact.updated', 'flow.completed');
create index event_conversation on event (conversation_id, id desc) where conversation_id is not null;
create index event_contact on event (contact_id, id desc) where contact_id is not null;
create index event_run on event (run_id, id desc) where run_id is not null;

create table event_body (
  id uuid not null,
  api_version text not null,
  body bytea not null,
  primary key (id, api_version)
) partition by range (id);
comment on table event_body is 'Bodies of events, partitioned by day; partitions are created ahead and dropped as a whole; see make_day';
comment on column event_body.id is 'The id of the event; for a resend the id of its delivery, so that its copy is kept as long as the resend';
comment on column event_body.body is 'The exact bytes of the envelope when the event was raised, which all endpoints and retries share';

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
-- Endpoints whose deliveries have to be held or cancelled.
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
comment on column endpoint_secret.signs_until is 'The end of the overlap after a rotation; null for the current secret';
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
comment on column endpoint_health.failures_in_row is 'The number of failed attempts since the last success, without tests';
comment on column endpoint_health.warned_at is 'The time when the Owners were warned of the present failures';
comment on column endpoint_health.slots is 'Maximum number of concurrent attempts: 1 while the endpoint fails, and up to 8 again after successes';

create table webhook_delivery (
  id uuid primary key,
  company_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null,
  api_version text not null,
  kind text not null check (kind in ('event', 'resend', 'test')),
  body_id uuid not null,
  resend_of uuid,
  job_id uuid,
  -- The columns that an attempt changes come last and together: the WAL record of an update covers everything between
  -- the first and the last changed byte.
  state text not null check (state in
    ('pending', 'delivered', 'dead_lettered', 'held', 'superseded', 'cancelled', 'expired')),
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  last_ms integer,
  ended_at timestamptz,
  odd_state text generated always as
    (case when last_error is not null or state not in ('pending', 'delivered') then state end) stored,
  odd_status smallint generated always as
    (case when last_status not between 200 and 299 then last_status end) stored,
  slow_ms integer generated always as (case when last_ms > 5000 then last_ms end) stored
) partition by range (id);
comment on table webhook_delivery is 'A delivery of one event to one endpoint, as the log shows it, partitioned by week; see make_day. X-Service-Delivery is its id';
comment on column webhook_delivery.id is 'A UUID that begins with the first half of the event''s id, except for a resend; deliveries_of finds the deliveries of an event by it';
comment on column webhook_delivery.body_id is 'The event_body that is sent: that of the event, or the copy for a resend';
comment on column webhook_delivery.resend_of is 'The delivery that this one resends';
comment on column webhook_delivery.job_id is 'The job that resent or released the delivery';
comment on column webhook_delivery.last_status is 'The HTTP status of the last attempt; null without a response';
comment on column webhook_delivery.last_error is 'The reason code of the last failure; null after a success';
comment on column webhook_delivery.last_ms is 'The duration of the last attempt in milliseconds; null before the first';
comment on column webhook_delivery.odd_state is 'The state; null for deliveries that were delivered, or that wait and have not failed yet';
comment on column webhook_delivery.odd_status is 'The last status; null for 200 to 299';
comment on column webhook_delivery.slow_ms is 'The duration of the last attempt in milliseconds if it was slow; else null';
-- The resends of an event, and the oldest event that was resent.
create index webhook_delivery_resent on webhook_delivery (event_id) where kind = 'resend';
-- The filters of the log. Each index begins with the endpoint: a page of a company is merged from those of its
-- endpoints. A delivery that succeeds at the first attempt is in the first index only.
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
-- The planner estimates by the size of the file. While the file keeps some pages, even a plan that was cached when no
-- row waited looks rows up by an index.
insert into delivery_queue (id, company_id, endpoint_id, kind, queue)
select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'event', 'held'
from generate_series(1, 4000);
delete from delivery_queue;
comment on table delivery_queue is 'Deliveries that wait or are in progress: exactly those whose state is pending or held';
comment on column delivery_queue.id is 'The id of the delivery';
comment on column delivery_queue.queue is 'The queue in which a due delivery waits: first attempts of events, retries and resends (retry), or tests. A delivery in later is not due, or not enqueued yet; one in held waits for its endpoint or its plan';
comment on column delivery_queue.due_at is 'The time from which the next attempt may start; null exactly while held';
-- Only due deliveries are in a queue, so a claim never reads those that have to wait.
create index delivery_queue_waiting on delivery_queue (queue, endpoint_id, due_at)
  where claim_id is null;
create index delivery_queue_later on delivery_queue (due_at)
  where queue = 'later' and claim_id is null;
-- Claimed deliveries: whose lease has ended, and how many are in flight by endpoint.
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

-- No foreign keys, so that a day of attempts is dropped without a lock on another table.
create table delivery_attempt (
  id uuid not null,
  company_id uuid not null,
  delivery_id uuid not null,
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
  signed_with text not null,
  is_late boolean not null default false,
  primary key (delivery_id, id)
) partition by range (delivery_id);
comment on table delivery_attempt is 'Attempts, partitioned by the day on which their delivery was made; see make_day';
comment on column delivery_attempt.number is 'The number of the attempt of its delivery, from 1 to 8';
comment on column delivery_attempt.headers_are_cut is 'True when the response had more headers than answer_headers; null without a response';
comment on column delivery_attempt.answer_head is 'The first 2,048 bytes of the response body, as received';
comment on column delivery_attempt.answer_is_cut is 'True when the response body was, or may have been, longer than answer_head; null without a response';
comment on column delivery_attempt.signed_with is 'The last four characters of each secret that signed the request, with a comma between them';
comment on column delivery_attempt.is_late is 'True when the attempt ended after its lease had gone to another worker: it is logged, and changes nothing';

create table delivery_hour (
  endpoint_id uuid not null references endpoint,
  company_id uuid not null references company,
  hour timestamptz not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  duration_ms bigint not null default 0,
  primary key (endpoint_id, hour)
) with (fillfactor = 70);
comment on table delivery_hour is 'Counts of attempts by endpoint and hour, for graphs, without tests';
comment on column delivery_hour.duration_ms is 'The total duration of these attempts';
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
comment on table resend_job is 'Paged jobs that resend deliveries of one endpoint, or release held ones, the oldest first';
comment on column resend_job.kind is 'resend creates new deliveries; held releases held ones';
comment on column resend_job.filter is 'JSON text: the filter of the deliveries';
comment on column resend_job.pace is 'Maximum number of deliveries a second';
comment on column resend_job.reason is 'The reason for a pause or cancellation: by_member, endpoint_off, endpoint_deleted or not_in_plan';
comment on column resend_job.before_id is 'The exclusive upper bound of the deliveries'' ids, so that the job does not process its own';
comment on column resend_job.position is 'The last delivery that was processed';
comment on column resend_job.matched is 'The number of deliveries that matched when the job was created; a lower bound if is_matched_least';
comment on column resend_job.made is 'The number of deliveries that the job resent or released';
comment on column resend_job.passed_over is 'The number of skipped deliveries, whose body is no longer kept';
comment on column resend_job.due_at is 'The time when the next page is due; set exactly while the job runs';
create index resend_job_company on resend_job (company_id, id desc);
create unique index resend_job_unfinished on resend_job (endpoint_id)
  where state in ('running', 'paused');
create index resend_job_due on resend_job (due_at) where due_at is not null;
create index resend_job_ended on resend_job (ended_at) where ended_at is not null;

-- The partitions. Ids are UUIDv7, so a day is a range of ids. There is no default partition, so that a partition can be
-- detached and dropped without blocking other work. Bodies and attempts, which are most of the log, have a partition a
-- day. Events and deliveries have one a week, because queries by other columns have to read every partition.
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
    -- Another node may be creating the partition at this moment. The look-up above is cached, this one is not.
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
comment on function make_day is 'Creates the missing partitions for the rows of a UTC day';

-- Returns the id of a delivery that is inserted with its event: the deliveries of one event are a range of ids, in the
-- event's week.
create function new_delivery_id(event_id uuid) returns uuid volatile language sql as $$
  select (left(event_id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid
$$;

-- Returns a lower bound of the ids of an event's resends, which only serves to skip partitions. It is some hours early,
-- because the clocks of two nodes differ.
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
comment on function deliveries_of is 'Returns the deliveries of an event: the original ones by their ids, and resends by their index';

-- Returns a time-ordered id, for rows whose ids a statement creates.
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
