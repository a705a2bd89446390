-- What people write down of contacts, who opted them out or in, imports, and contacts that became one.

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
comment on column contact_field.key is 'Never changed: values are kept and told under it';
comment on column contact_field.choices is 'Of kind choice: the values that it may have';
comment on column contact_field.archived_at is 'Its values stay and are shown and told nowhere until it is brought back';

create table opt_out_change (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null references contact on delete cascade,
  is_opted_out boolean not null,
  how text not null check (how in ('stop', 'start', 'link', 'member', 'import', 'merge', 'erased')),
  actor_id uuid references person,
  conversation_id text references conversation,
  -- References broadcast; declared there.
  broadcast_id uuid,
  reason text,
  at timestamptz not null,
  created_at timestamptz not null
);
comment on table opt_out_change is 'Every time that a contact was opted out or in, for as long as the contact';
comment on column opt_out_change.how is 'A word of the customer; the link of a broadcast; a member; a row of an import; a merge with one who was out; a number of one who was out and was erased';
comment on column opt_out_change.reason is 'In the words of the member who opted the contact in';
comment on column opt_out_change.at is 'Own time of the word or act';
create index opt_out_change_contact on opt_out_change (contact_id, id desc);

create table contact_tag (
  company_id uuid not null references company,
  tag text not null,
  primary key (company_id, tag)
);
comment on table contact_tag is 'Every spelling in which a tag was put on some contact of the company, until the tag is renamed or taken off all';

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
comment on column contact_tag_job.new_tag is 'What the tag is called from now on; null: it is taken off';
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
comment on table contact_import is 'A CSV file of contacts, kept for 30 days';
comment on column contact_import.headers is 'The first row of the file';
comment on column contact_import.size is 'Bytes of the file in UTF-8';
comment on column contact_import.columns is 'JSON text: which header is what of a contact';
comment on column contact_import.first_byte is 'Where the row after the header begins';
comment on column contact_import.next_byte is 'Where the next page begins in the file; moved in the transaction that writes the page';
comment on column contact_import.next_row is 'The number of the row that is read, decided or brought in next; the header is row 1';
comment on column contact_import.rows_found is 'Rows below the header, once all have been read';
comment on column contact_import.reason is 'Why it failed: a fact, as JSON text';
comment on column contact_import.country is 'ISO 3166-1 alpha-2: of numbers that come without their country';
comment on column contact_import.encoding is 'Of a CSV file as it was uploaded; null of a workbook';
comment on column contact_import.sample is 'JSON text: the cells of the first rows';
comment on column contact_import.combined is 'Rows that were combined with an earlier row of the same contact';
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
-- Uncompressed, so that a part is read without the whole.
alter table contact_import_file alter column bytes set storage external;
alter table contact_import_file alter column original set storage external;
comment on column contact_import_file.bytes is 'CSV in UTF-8';
comment on column contact_import_file.original is 'The file as it was uploaded, where that is no UTF-8; null of a workbook, whose rows are kept as CSV';

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
comment on table contact_import_row is 'A row of a file of contacts as it was read, and what becomes of it';
comment on column contact_import_row.is_readable is 'No cell has a fault';
comment on column contact_import_row.key is 'Rows with one key are of one contact';
comment on column contact_import_row.number is 'Digits of the phone, or of a phone without its country';
comment on column contact_import_row.email is 'In lower case';
comment on column contact_import_row.cells is 'JSON text: the values; of the first row of a contact those of all its rows, once they are combined';
comment on column contact_import_row.into_row is 'The earlier row of the same contact';
comment on column contact_import_row.gives_email is 'The contact of this row has its e-mail address once the row is brought in, and did not before';
comment on column contact_import_row.contact_id is 'The contact that the row leads to';
comment on column contact_import_row.notes is 'JSON text: what a member should know of the row';
-- What is written when a row is decided, and again when it is brought in, stands in no index, and beside the row.
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
comment on table contact_merge is 'Where the id of a contact leads that is part of another one now';
comment on column contact_merge.merged_by is 'Null where the provider has shown that both are one account';
comment on column contact_merge.snapshot is 'JSON text: the contact as it was';
comment on column contact_merge.given is 'Values, fields and tags that the contact that stayed had not, and was given by this merge';
comment on column contact_merge.moved is 'By table the ids of the rows that were the merged contact''s; leads: the status that the merge took from them';
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
comment on table not_same is 'Pairs of contacts that a member has said not to be one customer: they are suggested no more. The id of one that is merged leads on';

create table identity_change (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null,
  identity_id uuid,
  what text not null check (what in ('joined', 'merged', 'attached', 'former', 'left', 'not_joined')),
  detail jsonb not null,
  at timestamptz not null
);
comment on table identity_change is 'What providers have shown of customers, and what became of their identities by it; kept for 400 days';
comment on column identity_change.contact_id is 'Of whom it is told; not a reference, as contacts are merged';
comment on column identity_change.detail is 'By which fact, and the identifier, identity or contact that it tells of';
comment on column identity_change.at is 'The time of the fact';
create index identity_change_contact on identity_change (contact_id, id);
create index identity_change_not_joined on identity_change (company_id) where what = 'not_joined';

create table opt_out_memory (
  company_id uuid not null references company,
  id_hash bytea not null,
  word_at timestamptz not null,
  primary key (company_id, id_hash)
);
comment on table opt_out_memory is 'Ids of contacts who were opted out when they were erased: nobody can read them, and who comes again by one is opted out';
comment on column opt_out_memory.id_hash is 'opt_out_hash of an id';
comment on column opt_out_memory.word_at is 'Own time of the word or act that opted out';

-- Null while the company has no salt: it remembers nobody.
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
comment on column segment.filter is 'JSON text: contract/dashboard/segment, SegmentFilter; who fits is found each time that it is asked';
create unique index segment_name on segment (company_id, lower(name));
