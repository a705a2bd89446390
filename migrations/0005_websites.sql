-- Websites: widgets and forms of channels, and visitors of widgets, who are no contacts.

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
comment on table site is 'The appearance of the widget or form of a channel, and the sites that may show it; no site may without a row';
comment on column site.origins is 'The sites that may show it, as scheme, host and port, in the form of the Origin header';
comment on column site.asks_name is 'The setting whether a visitor is asked for a name before the first message';

create table visitor (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel on delete cascade,
  token_hash bytea not null unique,
  token_made_at timestamptz not null,
  seen_at timestamptz not null,
  created_at timestamptz not null
);
comment on table visitor is 'A person who has written or uploaded a file in a widget. Their conversation is filed under the widget''s key, a colon and this id';
comment on column visitor.token_hash is 'SHA-256 of the visitor''s token, which is valid for this widget only';
comment on column visitor.seen_at is 'The last visit, to the day; visitors who were away for long are deleted';
create index visitor_channel on visitor (channel_id);
create index visitor_seen on visitor (seen_at);

create table visitor_ticket (
  hash bytea primary key,
  visitor_id uuid not null references visitor on delete cascade,
  expires_at timestamptz not null
);
comment on table visitor_ticket is 'Tickets that each open one stream, once';
create index visitor_ticket_visitor on visitor_ticket (visitor_id);
create index visitor_ticket_expires on visitor_ticket (expires_at);
