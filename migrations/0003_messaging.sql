-- Channels, the customers on them, and what was said.

create table channel (
  id uuid primary key,
  company_id uuid not null references company,
  type text not null,
  name text,
  provider_route text not null,
  provider_account text,
  display_number text,
  country text,
  credentials text not null,
  is_connected boolean not null,
  disconnected_reason text,
  is_simulated boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (type, provider_route)
);
comment on column channel.provider_route is 'What the provider names the channel by in its webhooks: phone number id, page id, bot id';
comment on column channel.provider_account is 'WhatsApp Business account id';
comment on column channel.display_number is 'Digits without +';
comment on column channel.country is 'ISO 3166-1 alpha-2, of the number';
comment on column channel.credentials is 'Encrypted JSON, bound to this row';
create index channel_company on channel (company_id);
create index channel_provider_account on channel (type, provider_account);

create table contact (
  id uuid primary key,
  company_id uuid not null references company,
  name text,
  phone text check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  whatsapp_id text,
  email text,
  language text,
  tags text[] not null default '{}',
  fields text not null default '{}',
  opted_out_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column contact.phone is 'E.164; null when unknown or without a country code';
comment on column contact.whatsapp_id is 'The business-scoped or @lid id; null when only a number is known';
comment on column contact.fields is 'JSON text: custom fields by key, values string or null';
comment on column contact.opted_out_at is 'Set exactly while opted out';
create index contact_phone on contact (company_id, phone) where phone is not null;
create index contact_recent on contact (company_id, id desc);

create table contact_alias (
  company_id uuid not null references company,
  kind text not null check (kind in ('number', 'business_scoped', 'lid', 'provider')),
  value text not null,
  contact_id uuid not null references contact on delete cascade,
  created_at timestamptz not null,
  primary key (company_id, kind, value)
);
comment on table contact_alias is 'Every id a provider has used for a contact; one contact may have many';
comment on column contact_alias.value is 'number: digits; provider: route, colon, the id there';
create index contact_alias_contact on contact_alias (contact_id);

create table conversation (
  id text primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel,
  channel_type text not null,
  contact_id uuid references contact,
  filed_under text not null,
  visitor_name text,
  status text not null default 'open' check (status in ('open', 'resolved')),
  handled_by text not null default 'assistant' check (handled_by in ('assistant', 'staff')),
  assignee_id uuid references person,
  service_window_ends_at timestamptz,
  last_message_at timestamptz,
  created_at timestamptz not null,
  unique (channel_id, filed_under)
);
comment on column conversation.filed_under is 'The id of the customer that was known when it began: digits without +, a business-scoped id, an @lid id, a provider id; never changed';
comment on column conversation.contact_id is 'Null for a web widget visitor';
comment on column conversation.service_window_ends_at is '24 h after the customer last wrote; null when they never did';
create index conversation_company on conversation (company_id, last_message_at desc nulls last);
create index conversation_contact on conversation (contact_id);

create table template (
  id uuid primary key,
  company_id uuid not null references company,
  channel_id uuid not null references channel on delete cascade,
  provider_template_id text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  parameter_format text not null,
  components text not null,
  synced_at timestamptz not null,
  unique (channel_id, name, language)
);
comment on column template.components is 'The provider''s JSON, as text';
