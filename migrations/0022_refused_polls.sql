-- A fault of this service between two polls says nothing about a channel's credentials.
alter table channel_poll add column refusal_count smallint not null default 0;
comment on column channel_poll.refusal_count is 'The number of consecutive polls whose credentials the provider refused; a poll that failed otherwise changes nothing';
