-- Broadcasts: a template to many contacts, and how far each of them is.

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
comment on column broadcast.template is 'JSON text: contract/dashboard/broadcast, BroadcastTemplate; values with placeholders';
comment on column broadcast.audience is 'JSON text: contract/dashboard/broadcast, Audience: whom it is for, as it was asked for';
comment on column broadcast.per_second is 'Messages a second; the broadcasts of one number that send at one time share it';
comment on column broadcast.categories is 'JSON text: the category of each approved version of the template by language, as a member last let it go; null for a draft';
comment on column broadcast.reason is 'Why it is paused: a fact, as JSON text; null where a member did it';
comment on column broadcast.send_at is 'When it is to begin, where it was scheduled';
comment on column broadcast.filter is 'JSON text: who fitted the audience when preparing began; later changes of a segment change nothing';
comment on column broadcast.position is 'While preparing: the last contact that was looked at';
comment on column broadcast.total is 'Recipients';
comment on column broadcast.enqueued_to is 'All recipients up to this number have been handed over or skipped';
comment on column broadcast.pace is 'Messages a second as its worker last sent: its share of the number';
comment on column broadcast.counts is 'Recipients by what became of them, as its worker counted them last';
comment on column broadcast.due_at is 'When its worker goes on with it; while it is paused and after the end: when it is counted again';
comment on column broadcast.prepared_at is 'When all recipients were written down';
comment on column broadcast.resumed_at is 'When it was started or let go on: what failed before is no reason to pause it again';
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
  -- No foreign key: to write down half a million of them would lock as many contacts.
  contact_id uuid,
  message_id text references message on delete set null,
  skip_reason text,
  why text,
  primary key (broadcast_id, number),
  unique (contact_id, broadcast_id)
) with (fillfactor = 70);
comment on table broadcast_recipient is 'Kept for 90 days after the end of the broadcast. What became of one who was written to is the status of the message';
comment on column broadcast_recipient.number is 'From 1, in the order of the contacts'' ids: they are written to in this order';
comment on column broadcast_recipient.contact_id is 'Null where the contact has become part of another one that is a recipient too; whoever merges contacts moves it';
comment on column broadcast_recipient.message_id is 'The last try; null while it waits, and of who is skipped';
comment on column broadcast_recipient.why is 'More of why it is skipped: a fact, as JSON text';
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
comment on table marketing_stop is 'Contacts who told the provider that they want no marketing from a number: no opt-out, and no bar to anything else';

-- Its worker writes the row each time that it hands over; members are told of what they can see.
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
