-- Files: what customers send, what members upload, and where a provider has it already. The bytes are in a store.

create table file (
  id uuid primary key,
  company_id uuid not null references company,
  purpose text not null check (purpose in ('received', 'message', 'flow')),
  state text not null check (state in ('awaited', 'kept', 'lost', 'dropped')),
  channel_id uuid references channel,
  provider_media text,
  uploaded_by uuid references person,
  name text,
  media_type text,
  size integer,
  sha256 bytea,
  lost_reason text,
  attempt smallint not null default 1,
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  created_at timestamptz not null,
  visitor_id uuid references visitor on delete set null,
  check ((purpose = 'received') = (channel_id is not null)),
  check ((claim_id is null) = (lease_expires_at is null)),
  check (state <> 'kept' or (media_type is not null and size is not null and sha256 is not null))
);
comment on column file.purpose is 'received: a customer sent it; message: a member uploaded it to send it once; flow: to be sent by flows, kept until a member deletes it';
comment on column file.state is 'awaited: its bytes are on their way; kept; lost: they never came, and lost_reason says why; dropped: they are to be deleted, and the row after them';
comment on column file.channel_id is 'Where the provider has it that a customer sent';
comment on column file.provider_media is 'JSON text: channels, MediaRef; until it is kept or lost';
comment on column file.name is 'As whoever sent it called it, made harmless; null where they did not';
comment on column file.media_type is 'Known by its bytes, whatever anybody called it';
comment on column file.size is 'Bytes; of an upload under way what was announced';
comment on column file.lost_reason is 'A fact, as JSON text';
comment on column file.attempt is 'Of fetching it, or of deleting it, from 1';
comment on column file.due_at is 'When it is fetched next, or deleted: at once where it was dropped, a day after the upload where no message took it along';
comment on column file.claim_id is 'Of the process that has it in hand; names its node';
comment on column file.visitor_id is 'Who uploaded it in a widget: kept at once, and dropped where no message takes it along';
create index file_due on file (company_id, due_at) where due_at is not null and claim_id is null;
create index file_due_at on file (due_at) where due_at is not null and claim_id is null;
create index file_claimed on file (lease_expires_at) where claim_id is not null;
create index file_uploaded on file (company_id) include (size) where purpose <> 'received';
create index file_visitor on file (visitor_id, created_at) where visitor_id is not null;
create index file_of_visitors on file (channel_id, created_at) where visitor_id is not null;

create table file_upload (
  file_id uuid not null references file on delete cascade,
  channel_id uuid not null references channel,
  provider_media_id text not null,
  known_until timestamptz not null,
  primary key (file_id, channel_id)
);
comment on table file_upload is 'What a provider calls a file that was uploaded to it for a channel: many customers may be sent it';
comment on column file_upload.known_until is 'Until when the provider surely has it';

-- Who watches a conversation sees a file come, or learns that it never will.
create function note_files_of_messages() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, message.company_id, 'message', message.id
    from after join live_watch using (company_id) join before using (id)
      join message on message.file_id = after.id
    where before.state is distinct from after.state;
  end if;
  return null;
end $$;
create trigger file_changed after update on file
  referencing old table as before new table as after
  for each statement execute function note_files_of_messages();
