-- Numbers linked by QR code: how close together they send, and who took the risk.

create table send_pace (
  channel_id uuid primary key references channel,
  next_at timestamptz not null,
  recent timestamptz[] not null default '{}',
  message_id text
) with (fillfactor = 50);
comment on table send_pace is 'Channels whose sends keep a distance, whichever process makes them: one is under way at a time';
comment on column send_pace.next_at is 'No send begins before; while one is under way, when it is given up for lost';
comment on column send_pace.recent is 'When the last sends ended, the oldest first, at most as many as an hour allows';
comment on column send_pace.message_id is 'The message under way';
create index send_pace_next on send_pace (next_at);

alter table channel
  add column risk_accepted_at timestamptz,
  add column risk_accepted_by uuid references person,
  add check ((risk_accepted_at is null) = (risk_accepted_by is null));
comment on column channel.risk_accepted_at is 'When a member accepted what the provider does to those who connect it in a way that it does not offer; null where it does';
