-- Customers: a contact has identities, and an identity has the identifiers by which a provider or a person recognises
-- it.

-- Names are searched by their trigrams.
create extension if not exists pg_trgm;

-- Returns the key of a number, which is the same for all forms of one line. The rule is that of
-- rules/identity/number-key.
create function number_key(digits text) returns text language sql immutable strict parallel safe return
  case
    when digits ~ '^55[0-9]{2}[6-9][0-9]{7}$' then substr(digits, 1, 4) || '9' || substr(digits, 5)
    when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
    when digits ~ '^54[0-9]{10}$' then '549' || substr(digits, 3)
    else digits
  end;

create table contact (
  id uuid primary key,
  company_id uuid not null,
  name text,
  search_name text,
  phone text check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  raw_phone text,
  whatsapp_id text,
  email text,
  language text,
  tags text[] not null default '{}',
  fields jsonb not null default '{}',
  source text not null default 'message'
    check (source in ('message', 'hook', 'member', 'import', 'booking_page', 'enquiry')),
  opted_out_at timestamptz,
  opt_out_word_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opt_out_word_how text,
  email_from text
) with (fillfactor = 70);
comment on column contact.search_name is 'The name in the form in which it is searched: folded, in ASCII letters (rules/text/search-form)';
comment on column contact.phone is 'E.164; null when unknown or without a country code';
comment on column contact.raw_phone is 'A number without its country, as it was written. Members see it; it identifies no customer and is in no event';
comment on column contact.whatsapp_id is 'The business-scoped or @lid id; null when only a number is known';
comment on column contact.fields is 'The values of custom fields by key, as texts; also those of archived fields, which are in no event';
comment on column contact.source is 'The origin of the contact: a message on a channel, a hook, a member, an import, a booking on the public page, or an enquiry from a website';
comment on column contact.opted_out_at is 'The time of the opt-out; set exactly while the contact is opted out';
comment on column contact.opt_out_word_at is 'The time of the newest word or action that opted the contact out or in, even if it changed nothing. An older one that arrives later is ignored';
comment on column contact.opt_out_word_how is 'The kind of that word or action';
comment on column contact.email_from is 'The origin of the e-mail address, as in source; null without an address, or if the origin is unknown';
create index contact_recent on contact (company_id, id desc);
create index contact_opted_out on contact (company_id, id desc) where opted_out_at is not null;
create index contact_email on contact (company_id, lower(email)) where email is not null;
-- One index for several columns: each column is searched as fast as by a separate index, and a new contact writes only
-- one.
create index contact_search on contact using gin (search_name gin_trgm_ops,
  replace(search_name, ' ', '') gin_trgm_ops, tags, fields jsonb_path_ops);
create unique index contact_phone on contact (company_id, number_key(substr(phone, 2))) where phone is not null;
create unique index contact_whatsapp_id on contact (company_id, whatsapp_id) where whatsapp_id is not null;

create table identity (
  id uuid primary key,
  company_id uuid not null,
  contact_id uuid not null references contact on delete cascade,
  came_from uuid,
  created_at timestamptz not null,
  unique (contact_id, id)
);
comment on table identity is 'An account of a customer at one provider, or a number of which nothing else is known. Replies are sent to it';
comment on column identity.came_from is 'The merged contact (contact_merge.from_id) to which the identity belonged before; null if it always belonged to this one';

create table identifier (
  company_id uuid not null,
  identity_id uuid not null references identity on delete cascade,
  kind text not null
    check (kind in ('number', 'user', 'parent', 'lid', 'telegram', 'page', 'form', 'call')),
  key text not null,
  value text not null,
  scope text,
  state text not null default 'current' check (state in ('current', 'former', 'left')),
  first_at timestamptz not null,
  -- A provider that shows the identifier changes these two.
  proof text not null
    check (proof in ('shown', 'hook', 'member', 'import', 'call', 'form', 'booking')),
  shown_at timestamptz,
  changed_at timestamptz
);
comment on table identifier is 'The values by which an identity is recognised';
comment on column identifier.key is 'The value that is compared: for a number its digits, in one form for each line';
comment on column identifier.value is 'The value as received, which is shown and dialled';
comment on column identifier.scope is 'The WhatsApp Business account or channel in which an id of the kinds user and parent is valid. Ids of different scopes never contradict each other';
comment on column identifier.proof is 'shown when the provider has shown the value; otherwise the origin of a written value, which takes it from no other identity';
comment on column identifier.state is 'current identifiers are shown and dialled. A former one was replaced by another of its kind, and still finds the identity. One that has left belongs to another identity or to none, and finds nothing';
comment on column identifier.shown_at is 'The time when the provider last showed the identifier, as far as it was recorded; an older provider event never takes it away';
comment on column identifier.changed_at is 'The time when the identifier became former or left; null for a number that a member replaced, because a customer who writes from it is still the same one';
create unique index identifier_key on identifier (company_id, kind, key) where state <> 'left';
create index identifier_identity on identifier (identity_id);
create index identifier_left on identifier (company_id, changed_at) where state = 'left';
