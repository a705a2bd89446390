-- Who a customer is: a contact has identities, an identity has the identifiers by which a provider or a
-- person knows it.

-- Names are searched by their trigrams.
create extension if not exists pg_trgm;

-- The key of a number: one line has one. The same rule as rules/identity/number-key.
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
comment on column contact.search_name is 'The name as it is searched: folded, in ASCII letters (rules/text/search-form)';
comment on column contact.phone is 'E.164; null when unknown or without a country code';
comment on column contact.raw_phone is 'A number without its country, as it was written: shown to members, matched to nobody, in no event';
comment on column contact.whatsapp_id is 'The business-scoped or @lid id; null when only a number is known';
comment on column contact.fields is 'Values of custom fields by key, as texts; those of archived fields too, which no event shows';
comment on column contact.source is 'What made it: a message on a channel, a hook, a member, an import, a booking on the public page, an enquiry from a website';
comment on column contact.opted_out_at is 'Set exactly while opted out';
comment on column contact.opt_out_word_at is 'Own time of the newest word or act that opted out or in, whether or not it changed anything; an older one that comes later changes nothing';
comment on column contact.opt_out_word_how is 'How that word or act was said';
comment on column contact.email_from is 'Who gave the e-mail address: a source of contacts; null where there is none, or nobody knows';
create index contact_recent on contact (company_id, id desc);
create index contact_opted_out on contact (company_id, id desc) where opted_out_at is not null;
create index contact_email on contact (company_id, lower(email)) where email is not null;
-- One index: each column is searched as by an index of its own, and a new contact is written into one.
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
  unique (id, contact_id)
);
comment on table identity is 'One account of a customer at one provider, or a number of which nothing else is known: whom a reply reaches';
comment on column identity.came_from is 'contact_merge.from_id: the contact that it was of before a merge; null: always of this one';
create index identity_contact on identity (contact_id);

create table identifier (
  company_id uuid not null,
  identity_id uuid not null references identity on delete cascade,
  kind text not null
    check (kind in ('number', 'user', 'parent', 'lid', 'telegram', 'page', 'form', 'call')),
  key text not null,
  value text not null,
  scope text,
  proof text not null
    check (proof in ('shown', 'hook', 'member', 'import', 'call', 'form', 'booking')),
  state text not null default 'current' check (state in ('current', 'former', 'left')),
  first_at timestamptz not null,
  shown_at timestamptz,
  changed_at timestamptz
);
comment on table identifier is 'The values by which an identity is known';
comment on column identifier.key is 'What is compared: of a number its digits, in one form for each line';
comment on column identifier.value is 'As it came: what is shown and dialled';
comment on column identifier.scope is 'Of user and parent: the WhatsApp Business account that showed it, or the channel; another one in another scope contradicts nothing';
comment on column identifier.proof is 'shown: by the provider. Otherwise who wrote or typed it, which takes it from nobody';
comment on column identifier.state is 'current: shown and dialled. former: the identity has another of that kind now, and this one still finds it. left: it is another''s or nobody''s, and finds nobody';
comment on column identifier.shown_at is 'When the provider showed it last, as far as it was noted: a fact older than that never takes it away';
comment on column identifier.changed_at is 'When it became former or left; null of a number that a member has replaced: a customer who writes by it is still the same one';
create unique index identifier_key on identifier (company_id, kind, key) where state <> 'left';
create index identifier_identity on identifier (identity_id);
create index identifier_left on identifier (company_id, changed_at) where state = 'left';
