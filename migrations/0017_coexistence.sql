-- How far the history of a number has come that its owner uses in the provider's own app too.

alter table channel
  add column history_phase smallint,
  add column history_percent smallint check (history_percent between 0 and 100),
  add column history_told_at timestamptz,
  add column history_declined boolean not null default false;
comment on column channel.history_phase is '0: the last day, 1: to 90 days, 2: to 180 days; null: none has come';
comment on column channel.history_percent is 'Of all of it, as the provider tells';
comment on column channel.history_told_at is 'When the provider last told of it';
comment on column channel.history_declined is 'The owner does not share it';
