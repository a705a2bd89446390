-- Websites: visitors of a widget, who are no contacts, and enquiries from forms.

create table site (
  channel_id uuid primary key references channel on delete cascade,
  company_id uuid not null references company,
  origins text[] not null default '{}',
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  greeting_en text,
  greeting_ar text,
  asks_name text not null default 'no' check (asks_name in ('no', 'optional', 'required')),
  asks_email text not null default 'no' check (asks_email in ('no', 'optional', 'required')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table site is 'How the widget or form of a channel looks, and where it may stand; without a row it may stand nowhere';
comment on column site.origins is 'Sites that may show it: scheme, host and port, as a browser writes an origin';
comment on column site.asks_name is 'Whether a visitor is asked for it before the first message';

create table visitor (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel on delete cascade,
  token_hash bytea not null unique,
  token_made_at timestamptz not null,
  seen_at timestamptz not null,
  created_at timestamptz not null
);
comment on table visitor is 'Whoever has written or uploaded something in a widget; their conversation is filed under the widget''s key, a colon and this id';
comment on column visitor.token_hash is 'SHA-256; the token is good for this widget alone';
comment on column visitor.seen_at is 'To the day: who was not seen for long is forgotten';
create index visitor_channel on visitor (channel_id);
create index visitor_seen on visitor (seen_at);

create table visitor_ticket (
  hash bytea primary key,
  visitor_id uuid not null references visitor on delete cascade,
  expires_at timestamptz not null
);
comment on table visitor_ticket is 'Opens one stream, once';
create index visitor_ticket_visitor on visitor_ticket (visitor_id);
create index visitor_ticket_expires on visitor_ticket (expires_at);

alter table conversation add column visitor_email text;
comment on column conversation.visitor_name is 'As a visitor of a widget has called themselves; kept here, for they are no contact';
comment on column conversation.visitor_email is 'As a visitor of a widget has written it';

alter table file add column visitor_id uuid references visitor on delete set null;
comment on column file.visitor_id is 'Who uploaded it in a widget: kept at once, and dropped where no message takes it along';
create index file_visitor on file (visitor_id, created_at) where visitor_id is not null;
create index file_of_visitors on file (channel_id, created_at) where visitor_id is not null;

alter table message add column shown_at timestamptz;
comment on column message.shown_at is 'In a widget: since when the visitor may read it, by the database''s clock';
create index message_shown on message (conversation_id, shown_at) where shown_at is not null;

-- A visitor is shown what they said and what was sent to them in the transaction that makes it so, and whoever
-- holds their streams is told, in whatever process. Nothing can be lost between a widget and us: what a process
-- that died has left open is there too.
create function show_to_visitor() returns trigger language plpgsql as $$
begin
  if new.status = 'unknown' and not exists (
    select from channel where id = new.channel_id and type = 'web_widget'
  ) then
    return new;
  end if;
  new.shown_at := clock_timestamp();
  perform pg_notify('wasla_visitor_told', new.conversation_id);
  return new;
end $$;
create trigger message_shown_in before insert on message for each row
  when (new.provider_message_id ^@ 'ww:' and new.direction = 'in')
  execute function show_to_visitor();
create trigger message_shown_out before update of status on message for each row
  when (new.shown_at is null and new.direction = 'out' and (new.status = 'unknown'
    or (new.provider_message_id ^@ 'ww:' and new.status in ('accepted', 'sent', 'delivered', 'read'))))
  execute function show_to_visitor();

alter table contact drop constraint contact_source_check;
alter table contact add constraint contact_source_check
  check (source in ('message', 'hook', 'member', 'import', 'booking_page', 'enquiry'));
alter table lead drop constraint lead_source_check;
alter table lead add constraint lead_source_check
  check (source in ('assistant', 'flow', 'member', 'website'));
comment on column contact.source is 'What made it: a message on a channel, a hook, a member, an import, a booking on the public page, an enquiry from a website';
