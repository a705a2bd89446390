-- A second factor of signing in, forgotten passwords, what a person has chosen for themselves, and indexes
-- of the audit, of usage and of the search.

alter table person
  add column language text check (language in ('ar', 'en')),
  add column digits text not null default 'latin' check (digits in ('latin', 'arabic')),
  add column time_shown text not null default 'local' check (time_shown in ('local', 'utc'));
comment on column person.language is 'Of the dashboard and of e-mails to this person; null: what the browser likes best';
comment on column person.digits is 'How the dashboard writes numbers in Arabic';
comment on column person.time_shown is 'Times in the dashboard: of the place where it is looked at, or UTC';

alter table account add column needs_second_factor boolean not null default false;
comment on column account.needs_second_factor is 'Members without a second factor may only set one up';

create table second_factor (
  id uuid primary key,
  person_id uuid not null unique references person,
  secret text not null,
  confirmed_at timestamptz,
  used_step bigint,
  created_at timestamptz not null
);
comment on column second_factor.secret is 'Encrypted: what the codes are made from, in base32';
comment on column second_factor.confirmed_at is 'Null: begun, and asks for nothing yet';
comment on column second_factor.used_step is 'The 30 seconds, counted from 1970, of the newest code that was used: none before it is good any more';

create table recovery_code (
  person_id uuid not null references person,
  code_hash bytea not null,
  primary key (person_id, code_hash)
);
comment on table recovery_code is 'Each is good once, in place of a code of the second factor; one that was used is gone';

create table begun_sign_in (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  account_id uuid not null references account,
  carrier text not null check (carrier in ('cookie', 'bearer')),
  tries smallint not null default 0,
  expires_at timestamptz not null
);
comment on table begun_sign_in is 'The password was right, and the code of the second factor is still to come';
create index begun_sign_in_person on begun_sign_in (person_id);
create index begun_sign_in_expires on begun_sign_in (expires_at);

create table password_reset (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null unique references person,
  expires_at timestamptz not null
);
comment on table password_reset is 'Links to choose a new password, mailed to the person''s own address: the newest of each person alone is good';
create index password_reset_expires on password_reset (expires_at);

create index audit_person on audit (account_id, actor_id, id desc);
create index audit_action on audit (account_id, action, id desc);
create index audit_subject_kind on audit (account_id, subject_kind, id desc);

create index template_send_account on template_send (account_id, sent_at);
