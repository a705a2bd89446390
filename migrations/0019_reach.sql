-- Customers who let the business write no more, such as by blocking a bot.

alter table conversation add column unreachable_since timestamptz;
comment on column conversation.unreachable_since is 'The customer lets nobody write here since then, as the provider tells; what is sent is refused by it';
