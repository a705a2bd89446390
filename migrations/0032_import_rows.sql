alter table contact_import add column country text;
comment on column contact_import.country is 'ISO 3166-1 alpha-2: of numbers that come without their country';
alter table contact_import add column encoding text;
comment on column contact_import.encoding is 'Of a CSV file as it was uploaded; null of a workbook';
alter table contact_import add column sample text not null default '[]';
comment on column contact_import.sample is 'JSON text: the cells of the first rows';
comment on column contact_import.size is 'Bytes of the file in UTF-8';
alter table contact_import_file add column original bytea;
comment on column contact_import_file.bytes is 'CSV in UTF-8';
comment on column contact_import_file.original is
  'The file as it was uploaded, where that is no UTF-8; null of a workbook, whose rows are kept as CSV';
alter table contact_import_file alter column original set storage external;
alter table contact_import add column combined integer not null default 0;
comment on column contact_import.combined is 'Rows that were combined with an earlier row of the same contact';
comment on column contact_import.next_row is
  'The number of the row that is read, decided or brought in next; the header is row 1';
comment on column contact_import.rows_found is 'Rows below the header, once all have been read';

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
comment on column contact_import_row.cells is
  'JSON text: the values; of the first row of a contact those of all its rows, once they are combined';
comment on column contact_import_row.into_row is 'The earlier row of the same contact';
comment on column contact_import_row.gives_email is
  'The contact of this row has its e-mail address once the row is brought in, and did not before';
comment on column contact_import_row.contact_id is 'The contact that the row leads to';
comment on column contact_import_row.notes is 'JSON text: what a member should know of the row';
-- What is written when a row is decided, and again when it is brought in, stands in no index, and beside the row.
create index contact_import_row_key on contact_import_row (import_id, key, row) where key is not null;
create index contact_import_row_email on contact_import_row (import_id, email, row)
  where email is not null;

drop table contact_import_key;
drop table contact_import_fault;
