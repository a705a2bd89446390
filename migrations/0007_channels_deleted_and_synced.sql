-- A channel that is deleted keeps its row for the conversations on it, and gives its number free;
-- when a channel's templates are to be read again.

alter table channel add column deleted_at timestamptz;
alter table channel add column templates_due_at timestamptz;
comment on column channel.deleted_at is 'Its credentials are wiped then; the row stays for what was said on it';
comment on column channel.templates_due_at is 'When the provider''s list of templates is read next; null: only when a member asks';
alter table channel drop constraint channel_type_provider_route_key;
create unique index channel_route on channel (type, provider_route) where deleted_at is null;
create index channel_templates_due on channel (templates_due_at) where deleted_at is null;
create index flow_version_channel on flow_version (channel_id);
