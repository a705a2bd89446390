-- Broadcasts: a template to many contacts, with the outcome for each.

create table broadcast (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel,
  name text not null,
  template text not null,
  audience text not null,
  per_second smallint not null check (per_second > 0),
  categories text,
  state text not null
    check (state in ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'done', 'cancelled')),
  reason text,
  send_at timestamptz,
  filter text,
  position uuid,
  total integer not null default 0,
  enqueued_to integer not null default 0,
  pace real,
  counts jsonb not null default '{}',
  counted_at timestamptz,
  due_at timestamptz,
  created_by uuid references person,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  prepared_at timestamptz,
  resumed_at timestamptz,
  ended_at timestamptz,
  check (state not in ('scheduled', 'preparing', 'sending') or due_at is not null),
  check (state <> 'draft' or due_at is null),
  check ((state in ('done', 'cancelled')) = (ended_at is not null))
) with (fillfactor = 50);
comment on column broadcast.template is 'JSON text (contract/dashboard/broadcast, BroadcastTemplate), with placeholders in its values';
comment on column broadcast.audience is 'JSON text (contract/dashboard/broadcast, Audience): the audience as a member chose it';
comment on column broadcast.per_second is 'Maximum number of messages a second, which concurrent broadcasts of one number share';
comment on column broadcast.categories is 'JSON text: the category of each approved version of the template by language, at the last start or resume by a member; null for a draft';
comment on column broadcast.reason is 'The reason of a pause: a fact, as JSON text; null if a member paused it';
comment on column broadcast.send_at is 'The scheduled start; null without a schedule';
comment on column broadcast.filter is 'JSON text: the filter of the audience when preparing began; later changes of a segment have no effect';
comment on column broadcast.position is 'The last contact that was processed while preparing';
comment on column broadcast.total is 'The number of recipients';
comment on column broadcast.enqueued_to is 'The number up to which all recipients are enqueued or skipped';
comment on column broadcast.pace is 'The present rate in messages a second, which is its share of the number''s rate';
comment on column broadcast.counts is 'The numbers of recipients by outcome at the worker''s last count';
comment on column broadcast.due_at is 'The time of its next page; while paused and after the end, of the next count';
comment on column broadcast.prepared_at is 'The time when all recipients were inserted';
comment on column broadcast.resumed_at is 'The time of the last start or resume; earlier failures do not pause it again';
create index broadcast_company on broadcast (company_id, id desc);
create index broadcast_due on broadcast (due_at) where due_at is not null;
create index broadcast_sending on broadcast (channel_id) where state = 'sending';
create index broadcast_ended on broadcast (ended_at) where ended_at is not null;
alter table message add foreign key (broadcast_id) references broadcast;
alter table opt_out_change add foreign key (broadcast_id) references broadcast on delete set null;
create trigger broadcast_made after insert on broadcast
  referencing new table as made for each statement execute function note_made('broadcast');

create table broadcast_recipient (
  broadcast_id uuid not null references broadcast on delete cascade,
  number integer not null,
  company_id uuid not null,
  -- No foreign key: inserting half a million recipients would lock as many contacts.
  contact_id uuid,
  message_id text references message on delete set null,
  skip_reason text,
  why text,
  primary key (broadcast_id, number),
  unique (contact_id, broadcast_id)
) with (fillfactor = 70);
comment on table broadcast_recipient is 'Recipients, kept for 90 days after the end of the broadcast. The outcome of a sent message is its status';
comment on column broadcast_recipient.number is 'The number of the recipient from 1, by contact id, which is the order of sending';
comment on column broadcast_recipient.contact_id is 'The contact; null if the contact was merged into another recipient';
comment on column broadcast_recipient.message_id is 'The last attempt; null while the recipient waits, and for a skipped one';
comment on column broadcast_recipient.why is 'Details of why the recipient is skipped: a fact, as JSON text';
create index broadcast_recipient_message on broadcast_recipient (message_id)
  where message_id is not null;
create index broadcast_recipient_skipped on broadcast_recipient (broadcast_id, skip_reason, number)
  where skip_reason is not null;

create table marketing_stop (
  contact_id uuid not null references contact on delete cascade,
  channel_id uuid not null references channel,
  company_id uuid not null references company,
  at timestamptz not null,
  primary key (contact_id, channel_id)
);
comment on table marketing_stop is 'Contacts who declared to the provider that they want no marketing from a number; this is no opt-out, and blocks no other message';

-- The worker updates the row with each page; only changes that members can see are recorded.
create function note_changed_broadcasts() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, 'broadcast', after.id
    from after join live_watch using (company_id) join before using (id)
    where (before.state, before.reason, before.counts, before.total, before.name, before.updated_at)
      is distinct from (after.state, after.reason, after.counts, after.total, after.name, after.updated_at);
  end if;
  return null;
end $$;
create trigger broadcast_changed after update on broadcast
  referencing old table as before new table as after
  for each statement execute function note_changed_broadcasts();
