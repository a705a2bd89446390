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
  event_id uuid not null references event on delete cascade,
  api_version text not null,
  body bytea not null,
  primary key (event_id, api_version)
);
comment on column event_body.body is 'The exact bytes of the envelope, frozen when the event was written; shared by endpoints, retries and resends';

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
  last_success_at timestamptz,
  last_failure_at timestamptz
) with (fillfactor = 70);
comment on column endpoint_health.failures_in_row is 'Failed attempts since the last success, tests left out';

create table webhook_delivery (
  id uuid primary key,
  company_id uuid not null references company,
  endpoint_id uuid not null references endpoint,
  event_id uuid not null references event,
  api_version text not null,
  kind text not null check (kind in ('event', 'resend', 'test')),
  resend_of uuid,
  state text not null check (state in
    ('pending', 'delivered', 'dead_lettered', 'held', 'superseded', 'cancelled', 'expired')),
  attempts smallint not null default 0,
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (due_at is not null)),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 70);
comment on table webhook_delivery is 'One event to one endpoint; id is X-Service-Delivery';
comment on column webhook_delivery.due_at is 'When the next attempt may start; set exactly while pending';
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at)
  where state = 'pending' and claim_id is null;
create index webhook_delivery_claimed on webhook_delivery (claimed_until)
  where claim_id is not null;
create index webhook_delivery_in_flight on webhook_delivery (endpoint_id)
  where claim_id is not null;
create index webhook_delivery_event on webhook_delivery (event_id);
create index webhook_delivery_log on webhook_delivery (company_id, id desc);

create table delivery_attempt (
  id uuid primary key,
  company_id uuid not null references company,
  delivery_id uuid not null references webhook_delivery on delete cascade,
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
  is_late boolean not null default false
);
comment on column delivery_attempt.number is '1 to 8 within its delivery';
comment on column delivery_attempt.answer_head is 'The first 2,048 bytes of the answer, as they came';
comment on column delivery_attempt.signed_with is 'Last four characters of each secret that signed';
comment on column delivery_attempt.is_late is 'Finished after its lease had gone to another worker: logged, counted for nothing';
create index delivery_attempt_delivery on delivery_attempt (delivery_id, number);
