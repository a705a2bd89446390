-- Files of customers and members, and their uploads at providers. The bytes are in the file store.

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
comment on column file.purpose is 'The purpose: received for a file of a customer, message for a member''s upload that is sent once, flow for a file that flows send. The last is kept until a member deletes it';
comment on column file.state is 'awaited until its bytes have arrived, then kept, or lost with lost_reason if they never arrived; dropped while its bytes, and then its row, are being deleted';
comment on column file.channel_id is 'The channel of the provider that has a received file';
comment on column file.provider_media is 'JSON text: the reference to the file at the provider (channels, MediaRef), until the file is kept or lost';
comment on column file.name is 'The file name that the sender gave, made harmless; null without one';
comment on column file.media_type is 'The media type that its bytes show, whatever the sender stated';
comment on column file.size is 'The size in bytes; for an upload in progress the announced one';
comment on column file.lost_reason is 'The reason why the file is lost: a fact, as JSON text';
comment on column file.attempt is 'The number of the download or deletion attempt, from 1';
comment on column file.due_at is 'The time of the next download or deletion: immediately for a dropped file, a day after the upload for one that no message uses';
comment on column file.claim_id is 'The claim (fencing token) of the process that works on the file; it names the node';
comment on column file.visitor_id is 'The visitor who uploaded the file in a widget; it is dropped unless a message uses it';
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
comment on table file_upload is 'Files that were uploaded to a provider for a channel, so that many customers can be sent the same upload';
comment on column file_upload.known_until is 'The time until which the provider is certain to have the file';

-- Live streams report that a file has arrived, or that it is lost.
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
