-- Websites: the widgets and forms of channels, and visitors of a widget, who are no contacts.

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
