-- Custom fields, tags, opt-outs, imports and merges of contacts, and segments.

create table contact_field (
  id uuid primary key,
  company_id uuid not null references company,
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  label text not null,
  kind text not null check (kind in ('text', 'number', 'date', 'yes_no', 'choice')),
  choices text[] not null default '{}',
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (company_id, key)
);
comment on column contact_field.key is 'The key of the values in events and rows, which never changes';
comment on column contact_field.choices is 'The values that a field of the kind choice may have';
comment on column contact_field.archived_at is 'The time of the archiving; the values are kept, and are in no event and on no screen until the field is restored';

create table opt_out_change (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null references contact on delete cascade,
  is_opted_out boolean not null,
  how text not null check (how in ('stop', 'start', 'link', 'member', 'import', 'merge', 'erased')),
  actor_id uuid references person,
  conversation_id text references conversation,
  -- The foreign key to broadcast is declared with that table.
  broadcast_id uuid,
  reason text,
  at timestamptz not null,
  created_at timestamptz not null
);
comment on table opt_out_change is 'Every opt-out and opt-in of a contact, kept as long as the contact';
comment on column opt_out_change.how is 'The cause: a word of the customer, a broadcast''s link, a member, an imported row, or an opt-out that came from a merged or an erased contact';
comment on column opt_out_change.reason is 'The reason that the member gave for opting the contact in';
comment on column opt_out_change.at is 'The time of the word or action';
create index opt_out_change_contact on opt_out_change (contact_id, id desc);

create table contact_tag (
  company_id uuid not null references company,
  tag text not null,
  primary key (company_id, tag)
);
comment on table contact_tag is 'All spellings of tags in use by a company; a spelling is deleted when its tag is renamed or removed from all contacts';

create table contact_tag_job (
  id uuid primary key,
  company_id uuid not null references company,
  tag text not null,
  new_tag text,
  state text not null check (state in ('running', 'done')),
  changed integer not null default 0,
  due_at timestamptz,
  created_by uuid references person,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'running') = (due_at is not null))
);
comment on column contact_tag_job.new_tag is 'The new name of the tag; null to remove it';
create index contact_tag_job_due on contact_tag_job (due_at) where due_at is not null;
create unique index contact_tag_job_running on contact_tag_job (company_id) where state = 'running';

create table contact_import (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  state text not null
    check (state in ('uploaded', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed')),
  headers text[] not null,
  delimiter text not null,
  size integer not null,
  columns text,
  mode text check (mode in ('fill', 'overwrite', 'skip')),
  first_byte integer not null,
  next_byte integer not null,
  next_row integer not null default 2,
  rows_found integer,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  left_out integer not null default 0,
  reason text,
  due_at timestamptz,
  created_by uuid references person,
  created_at timestamptz not null,
  ended_at timestamptz,
  country text,
  encoding text,
  sample text not null default '[]',
  combined integer not null default 0,
  check ((state in ('checking', 'running')) = (due_at is not null))
);
comment on table contact_import is 'Imported files of contacts, kept for 30 days';
comment on column contact_import.headers is 'The first row of the file';
comment on column contact_import.size is 'The size of the file in UTF-8, in bytes';
comment on column contact_import.columns is 'JSON text: the header of each property of a contact';
comment on column contact_import.first_byte is 'The position of the first row after the header';
comment on column contact_import.next_byte is 'The position of the next page in the file, updated in the transaction that writes a page';
comment on column contact_import.next_row is 'The number of the row that is read, checked or imported next; the header is row 1';
comment on column contact_import.rows_found is 'The number of rows below the header; null until all of them are read';
comment on column contact_import.reason is 'The reason of a failure: a fact, as JSON text';
comment on column contact_import.country is 'The country of numbers without a country code (ISO 3166-1 alpha-2)';
comment on column contact_import.encoding is 'The encoding of an uploaded CSV file; null for a workbook';
comment on column contact_import.sample is 'JSON text: the cells of the first rows';
comment on column contact_import.combined is 'The number of rows that were combined with an earlier row of the same contact';
create index contact_import_company on contact_import (company_id, id desc);
create index contact_import_due on contact_import (due_at) where due_at is not null;
create index contact_import_created on contact_import (created_at);
create trigger contact_import_made after insert on contact_import
  referencing new table as made for each statement execute function note_made('contact_import');
create trigger contact_import_changed after update on contact_import
  referencing new table as after for each statement execute function note_changed_rows('contact_import');

create table contact_import_file (
  import_id uuid primary key references contact_import on delete cascade,
  bytes bytea not null,
  original bytea
);
-- Uncompressed, so that a part can be read without the whole value.
alter table contact_import_file alter column bytes set storage external;
alter table contact_import_file alter column original set storage external;
comment on column contact_import_file.bytes is 'The rows as CSV in UTF-8';
comment on column contact_import_file.original is 'The file as uploaded, if it was no UTF-8; null for a workbook, whose rows are stored as CSV';

create table contact_import_row (
  import_id uuid not null references contact_import on delete cascade,
  row integer not null,
  is_readable boolean not null,
  key text,
  number text,
  email text,
  cells text,
  outcome text check (outcome in ('created', 'updated', 'unchanged', 'combined', 'left_out')),
  into_row integer,
  gives_email boolean not null default false,
  contact_id uuid,
  notes text,
  primary key (import_id, row)
) with (fillfactor = 60);
comment on table contact_import_row is 'Rows of an imported file as they were read, with their outcomes';
comment on column contact_import_row.is_readable is 'True when no cell has an error';
comment on column contact_import_row.key is 'The key of the contact: rows with the same key concern one contact';
comment on column contact_import_row.number is 'The digits of the phone number, also of one without its country';
comment on column contact_import_row.email is 'The e-mail address in lower case';
comment on column contact_import_row.cells is 'JSON text: the values; once rows are combined, the first row of a contact has the values of all of them';
comment on column contact_import_row.into_row is 'The earlier row of the same contact';
comment on column contact_import_row.gives_email is 'True when importing the row gives its contact an e-mail address that the contact did not have';
comment on column contact_import_row.contact_id is 'The contact that the row creates or changes';
comment on column contact_import_row.notes is 'JSON text: remarks on the row for members';
-- The columns that change when a row is checked, and again when it is imported, are in no index, and their new versions
-- get space on the same page.
create index contact_import_row_key on contact_import_row (import_id, key, row) where key is not null;
create index contact_import_row_email on contact_import_row (import_id, email, row)
  where email is not null;

create table contact_merge (
  from_id uuid primary key,
  company_id uuid not null references company,
  into_id uuid not null references contact on delete cascade,
  merged_by uuid references person,
  snapshot text not null,
  merged_at timestamptz not null,
  given jsonb not null default '{}',
  moved jsonb not null default '{}'
);
comment on table contact_merge is 'Ids of contacts that were merged into another one, which they lead to';
comment on column contact_merge.merged_by is 'The member who merged them; null when the provider showed that both are one account';
comment on column contact_merge.snapshot is 'JSON text: the contact before the merge';
comment on column contact_merge.given is 'The values, fields and tags that the remaining contact received by this merge';
comment on column contact_merge.moved is 'The ids of the moved rows by table; for leads the status that the merge took from them';
create index contact_merge_into on contact_merge (into_id);

create table not_same (
  company_id uuid not null references company,
  a uuid not null,
  b uuid not null,
  said_by uuid references person,
  said_at timestamptz not null,
  primary key (company_id, a, b),
  check (a < b)
);
comment on table not_same is 'Pairs of contacts that a member declared to be different customers, which are not suggested again. The id of a merged contact leads on';

create table identity_change (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null,
  identity_id uuid,
  what text not null check (what in ('joined', 'merged', 'attached', 'former', 'left', 'not_joined')),
  detail jsonb not null,
  at timestamptz not null
);
comment on table identity_change is 'Changes of identities by what providers have shown of customers, kept for 400 days';
comment on column identity_change.contact_id is 'The contact concerned; no foreign key, because contacts are merged';
comment on column identity_change.detail is 'The provider event that caused the change, and the identifier, identity or contact that it names';
comment on column identity_change.at is 'The time of the provider event';
create index identity_change_contact on identity_change (contact_id, id);
create index identity_change_not_joined on identity_change (company_id) where what = 'not_joined';

create table opt_out_memory (
  company_id uuid not null references company,
  id_hash bytea not null,
  word_at timestamptz not null,
  primary key (company_id, id_hash)
);
comment on table opt_out_memory is 'Hashed ids of contacts who were opted out when they were erased. A new contact with one of these ids is opted out';
comment on column opt_out_memory.id_hash is 'The opt_out_hash of an id';
comment on column opt_out_memory.word_at is 'The time of the word or action that opted the contact out';

-- Returns the hash of an id; null while the company has no salt and remembers no opt-outs.
create function opt_out_hash(company_id uuid, kind text, value text) returns bytea
language sql stable strict
return (select sha256(convert_to(opt_out_salt || ' ' || opt_out_hash.kind || ' ' || opt_out_hash.value, 'UTF8'))
  from company where company.id = opt_out_hash.company_id);

create table segment (
  id uuid primary key,
  company_id uuid not null references company,
  name text not null,
  filter text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column segment.filter is 'JSON text (contract/dashboard/segment, SegmentFilter); matching contacts are looked up at each use';
create unique index segment_name on segment (company_id, lower(name));
