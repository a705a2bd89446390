-- Events, the endpoints they go to, and what became of each delivery.

create table event (
  id uuid primary key,
  company_id uuid not null references company,
  type text not null,
  conversation_id text,
  contact_id uuid,
  run_id uuid,
  is_test boolean not null default false,
  occurred_at timestamptz not null
);
comment on column event.id is 'UUIDv7; a merchant sees evt_ and its 32 hex characters';
create index event_company on event (company_id, id desc);

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
create index endpoint_company on endpoint (company_id) where deleted_at is null;

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
  company_id uuid not null references company,
  endpoint_id uuid not null references endpoint,
  event_id uuid not null references event,
  api_version text not null,
  kind text not null check (kind in ('event', 'resend', 'test')),
  body_id uuid not null,
  resend_of uuid,
  state text not null check (state in
    ('pending', 'delivered', 'dead_lettered', 'held', 'superseded', 'cancelled', 'expired')),
  attempts smallint not null default 0,
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  last_status smallint,
  last_error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (due_at is not null)),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 70);
comment on table webhook_delivery is 'One event to one endpoint; id is X-Service-Delivery';
comment on column webhook_delivery.due_at is 'When the next attempt may start; set exactly while pending';
comment on column webhook_delivery.body_id is 'Which event_body is sent: the event''s, or the copy of a resend';
comment on column webhook_delivery.resend_of is 'The delivery that a person sent again';
comment on column webhook_delivery.last_status is 'HTTP status of the last attempt; null when no answer came';
comment on column webhook_delivery.last_error is 'Why the last attempt failed, in one word; null after a success';
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at)
  where state = 'pending' and claim_id is null;
create index webhook_delivery_claimed on webhook_delivery (claimed_until)
  where claim_id is not null;
create index webhook_delivery_in_flight on webhook_delivery (endpoint_id)
  where claim_id is not null;
create index webhook_delivery_event on webhook_delivery (event_id);
create index webhook_delivery_log on webhook_delivery (company_id, id desc);

create table delivery_attempt (
  id uuid not null,
  company_id uuid not null references company,
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
  answer_head bytea,
  signed_with text[] not null,
  is_late boolean not null default false,
  primary key (delivery_id, id)
) partition by range (delivery_id);
comment on table delivery_attempt is 'A partition a day of the deliveries'' making; see make_day';
comment on column delivery_attempt.number is '1 to 8 within its delivery';
comment on column delivery_attempt.answer_head is 'The first 2,048 bytes of the answer, as they came';
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

-- The days of the partitioned tables. Ids are UUIDv7: a day is a range of ids. There is no default
-- partition, so that a day can be detached and dropped without holding anything up.

create function oldest_id_at(at timestamptz) returns uuid immutable language sql as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid
$$;

create function make_day(day date) returns void language plpgsql as $$
declare
  parent text;
  partition text;
begin
  foreach parent in array array['event_body', 'delivery_attempt'] loop
    partition := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
    continue when to_regclass(partition) is not null;
    -- Another node may be making it at this moment; the look-up above is cached, this one is not.
    perform pg_advisory_xact_lock(hashtext('make_day'));
    continue when exists (select from pg_class
      where relname = partition and relnamespace = current_schema()::regnamespace);
    execute format('create table %I (like %I including all)', partition, parent);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, partition, oldest_id_at(day::timestamp at time zone 'UTC'),
      oldest_id_at((day + 1)::timestamp at time zone 'UTC'));
  end loop;
end $$;
comment on function make_day is 'Makes the partitions of a day (UTC) where they are missing';
