-- The delivery log: indexes for its filters, resends as jobs, and what changed for those who watch.

-- Every filter begins with the endpoint: a page of a company is put together from its endpoints'. An
-- index that most deliveries are not in costs the engine nothing.
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_state on webhook_delivery (endpoint_id, state, id desc)
  where state <> 'delivered';
create index webhook_delivery_status on webhook_delivery (endpoint_id, last_status, id desc)
  where last_status is not null;
create index webhook_delivery_error on webhook_delivery (endpoint_id, last_error, id desc)
  where last_error is not null;
create index webhook_delivery_kind on webhook_delivery (endpoint_id, kind, id desc)
  where kind <> 'event';
create index webhook_delivery_resend_of on webhook_delivery (resend_of, id desc)
  where resend_of is not null;
drop index webhook_delivery_log;

create index endpoint_of_company on endpoint (company_id);
create index event_type on event (company_id, type, id desc);
create index event_conversation on event (company_id, conversation_id, id desc)
  where conversation_id is not null;
create index event_contact on event (company_id, contact_id, id desc) where contact_id is not null;
create index event_run on event (company_id, run_id, id desc) where run_id is not null;

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

alter table webhook_delivery add column job_id uuid;
comment on column webhook_delivery.job_id is 'The job that resent or released it';
-- A delivery is resent once by a job, however often a step is begun.
create unique index webhook_delivery_job on webhook_delivery (job_id, coalesce(resend_of, id))
  where job_id is not null;

-- What changed, kept for minutes and only for companies that somebody watches.

create table live_watch (
  company_id uuid primary key references company,
  watched_until timestamptz not null,
  since_xid bigint not null default pg_current_xact_id()::text::bigint
);
comment on table live_watch is 'Companies whose deliveries are watched; while it is empty, changes cost nothing';

comment on column live_watch.since_xid is 'Changes of transactions from here on are kept';

create unlogged table live_change (
  xid bigint not null,
  company_id uuid not null,
  delivery_id uuid not null,
  changed_at timestamptz not null default now()
);
comment on table live_change is 'Deliveries that changed; unlogged, as a watcher that misses some reads the log again';
comment on column live_change.xid is 'Transaction of the change: those below the oldest one still open are complete';
create index live_change_xid on live_change (xid);

create function note_new_deliveries() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, delivery_id)
    select pg_current_xact_id()::text::bigint, made.company_id, made.id
    from made join live_watch using (company_id);
  end if;
  return null;
end $$;

create function note_changed_deliveries() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, delivery_id)
    select pg_current_xact_id()::text::bigint, after.company_id, after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.state, before.attempts, before.due_at)
      is distinct from (after.state, after.attempts, after.due_at);
  end if;
  return null;
end $$;

create trigger webhook_delivery_made after insert on webhook_delivery
  referencing new table as made for each statement execute function note_new_deliveries();
create trigger webhook_delivery_changed after update on webhook_delivery
  referencing old table as before new table as after
  for each statement execute function note_changed_deliveries();
