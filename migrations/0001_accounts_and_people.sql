-- Accounts, their companies (the account's own and its projects), people, how they sign in, what they did
-- and are told, and what the operator has switched off.

create table account (
  id uuid primary key,
  name text,
  plan text not null check (plan in ('free', 'starter', 'pro', 'business')),
  templates_per_day integer check (templates_per_day >= 0),
  created_at timestamptz not null,
  needs_second_factor boolean not null default false,
  model_tokens_per_day integer check (model_tokens_per_day > 0)
);
comment on column account.plan is 'Shared by the account and its projects';
comment on column account.templates_per_day is 'The operator''s number of automated templates a day; null: the plan''s';
comment on column account.needs_second_factor is 'Members without a second factor may only set one up';
comment on column account.model_tokens_per_day is 'The daily limit of tokens for language models that the Owner set; null: the operator''s limit';

create table company (
  id uuid primary key,
  account_id uuid not null references account,
  name text,
  is_project boolean not null default false,
  time_zone text not null default 'UTC',
  opening_hours text,
  opt_out_salt text,
  created_at timestamptz not null
);
comment on table company is 'Named in every event as company.id; a project is a company of the same account. No company is ever deleted: tables with many new rows name theirs without a foreign key, which each new row would ask for';
comment on column company.time_zone is 'IANA name: opening hours, and the days that flows speak of';
comment on column company.opening_hours is 'JSON text: ranges by weekday, in minutes from midnight (rules/flows/opening-hours); null: not told, open at any time';
comment on column company.opt_out_salt is 'Goes into the hashes of opt_out_memory; null until a contact who was opted out is erased';
create index company_account on company (account_id);

create table person (
  id uuid primary key,
  email text not null,
  unverified_in_account_id uuid references account,
  name text,
  password_hash text,
  is_demonstration boolean not null default false,
  created_at timestamptz not null,
  language text check (language in ('ar', 'en')),
  digits text not null default 'latin' check (digits in ('latin', 'arabic')),
  time_shown text not null default 'local' check (time_shown in ('local', 'utc'))
);
comment on column person.unverified_in_account_id is 'The one account in which this address is believed: the invitation was handed over by hand, so it may be somebody else''s. Null: the address is the person''s own';
comment on column person.password_hash is 'argon2id; null until the person sets a password';
comment on column person.is_demonstration is 'The Owner of the demonstration''s account: has no password, comes by the link of a start, and is nobody who could have set the service up';
comment on column person.language is 'Of the dashboard and of e-mails to this person; null: what the browser likes best';
comment on column person.digits is 'How the dashboard writes numbers in Arabic';
comment on column person.time_shown is 'Times in the dashboard: of the place where it is looked at, or UTC';
create unique index person_demonstration on person (is_demonstration) where is_demonstration;
create unique index person_email on person (lower(email)) where unverified_in_account_id is null;
create unique index person_email_unproved on person (lower(email), unverified_in_account_id)
  where unverified_in_account_id is not null;

create table member (
  id uuid primary key,
  account_id uuid not null references account,
  person_id uuid not null references person,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null,
  unique (account_id, person_id)
);
create index member_person on member (person_id);

create table invitation (
  id uuid primary key,
  token_hash bytea not null unique,
  account_id uuid not null references account,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  invited_by uuid references person,
  is_mailed boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table invitation is 'Open invitations; one that was accepted or withdrawn is gone';
comment on column invitation.is_mailed is 'Its link went to the address by e-mail and to nobody else: who accepts it has that mailbox';
create unique index invitation_email on invitation (account_id, lower(email));

create table set_up (
  is_only boolean primary key default true check (is_only),
  seed text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  person_id uuid references person
);
comment on table set_up is 'The first owner''s set-up: one row, closed for good once it was used';
comment on column set_up.seed is 'What the token is derived from, with an encryption key; random, and new for a start a day after it was made';
comment on column set_up.person_id is 'Who was made the first Owner';

create table session (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  account_id uuid not null references account,
  carrier text not null check (carrier in ('cookie', 'bearer')),
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  password_entered_at timestamptz not null,
  expires_at timestamptz not null
);
comment on column session.token_hash is 'SHA-256 of the 32 random bytes as text; the token is nowhere';
comment on column session.account_id is 'The account that the person works in with this session';
comment on column session.carrier is 'A browser''s cookie, or a program''s Authorization header';
comment on column session.last_seen_at is 'To the minute; idle sessions end by it';
comment on column session.expires_at is 'The end, however busy the session is';
create index session_person on session (person_id);
create index session_expires on session (expires_at);

-- A session that ends, or goes on in another account, is told of to every process: what it watches there
-- ends at once.
create function tell_of_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('wasla_session_ended', old.id::text);
  return null;
end $$;
create trigger session_ended after delete or update of account_id on session
  for each row execute function tell_of_ended_session();

create table trusted_device (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  known_since timestamptz not null,
  expires_at timestamptz not null
);
comment on table trusted_device is 'A browser in which a person has signed in: its wrong passwords are counted apart from strangers''';
comment on column trusted_device.token_hash is 'SHA-256 of the 32 random bytes as text; the token is in the browser''s cookie alone';
create index trusted_device_person on trusted_device (person_id, known_since desc);
create index trusted_device_expires on trusted_device (expires_at);

create table sign_in_failure (
  id uuid primary key,
  throttle_key bytea not null,
  failed_at timestamptz not null
);
comment on table sign_in_failure is 'One row per wrong password, for the e-mail address and for the client''s address';
comment on column sign_in_failure.throttle_key is 'SHA-256 of what is counted: an e-mail or a network address';
create index sign_in_failure_key on sign_in_failure (throttle_key, failed_at);
create index sign_in_failure_age on sign_in_failure (failed_at);

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

create table pending_sign_in (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  account_id uuid not null references account,
  carrier text not null check (carrier in ('cookie', 'bearer')),
  tries smallint not null default 0,
  expires_at timestamptz not null
);
comment on table pending_sign_in is 'The password was right, and the code of the second factor is still to come';
create index pending_sign_in_person on pending_sign_in (person_id);
create index pending_sign_in_expires on pending_sign_in (expires_at);

create table password_reset (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null unique references person,
  expires_at timestamptz not null
);
comment on table password_reset is 'Links to choose a new password, mailed to the person''s own address: the newest of each person alone is good';
create index password_reset_expires on password_reset (expires_at);

create table rate_limit_counter (
  account_id uuid not null references account,
  what text not null,
  minute timestamptz not null,
  used smallint not null,
  primary key (account_id, what, minute)
);
comment on column rate_limit_counter.what is 'tests_and_resends, connection_tests, invitations or model_tests';
comment on column rate_limit_counter.minute is 'The beginning of a clock minute';
create index rate_limit_counter_minute on rate_limit_counter (minute);

create table audit (
  id uuid primary key,
  account_id uuid not null references account,
  company_id uuid references company,
  actor_kind text not null check (actor_kind in ('person', 'service')),
  actor_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  detail text,
  created_at timestamptz not null
);
comment on column audit.detail is 'JSON text; never a secret, token or credential';
create index audit_page on audit (account_id, id desc);
create index audit_subject on audit (account_id, subject_id, id desc);
create index audit_person on audit (account_id, actor_id, id desc);
create index audit_action on audit (account_id, action, id desc);
create index audit_subject_kind on audit (account_id, subject_kind, id desc);

create table notice (
  id uuid primary key,
  account_id uuid not null references account,
  company_id uuid not null references company,
  person_id uuid references person,
  kind text not null,
  subject_id uuid,
  details text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  mail_due_at timestamptz,
  mail_attempts smallint not null default 0,
  mailed_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz
);
comment on column notice.person_id is 'Whom alone it tells; null: the Owners and Admins';
comment on column notice.kind is 'endpoint_switched_off, endpoint_failing, mentioned or appointments_outside_hours; more may come';
comment on column notice.subject_id is 'What it is about: the endpoint, or the note; null of appointments';
comment on column notice.details is 'JSON text: what the words of the notice are made from';
comment on column notice.mail_due_at is 'When its e-mail is to be tried next; while it is sent, the end of the lease; null when none is to be sent any more';
comment on column notice.claim_id is 'Of the process that sends its e-mail; names its node';
create index notice_account on notice (account_id, id desc);
create index notice_mail_due on notice (mail_due_at) where mail_due_at is not null;
create index notice_claimed on notice (lease_expires_at) where claim_id is not null;

create table operator_switch (
  name text primary key,
  is_on boolean not null,
  changed_at timestamptz not null
);
comment on column operator_switch.name is 'hooks_paused';
