-- Accounts, their companies (the account's own and its projects), people, their sign-ins, the audit, notices, and the
-- operator's switches.

create table account (
  id uuid primary key,
  name text,
  plan text not null check (plan in ('free', 'starter', 'pro', 'business')),
  templates_per_day integer check (templates_per_day >= 0),
  created_at timestamptz not null,
  needs_second_factor boolean not null default false,
  model_tokens_per_day integer check (model_tokens_per_day > 0)
);
comment on column account.plan is 'The plan of the account, which its projects share';
comment on column account.templates_per_day is 'The number of automated templates a day that the operator has set; null for the number of the plan';
comment on column account.needs_second_factor is 'True when members without a second factor may only set one up';
comment on column account.model_tokens_per_day is 'The daily limit of tokens for language models that the Owner has set; null for the limit of the operator';

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
comment on table company is 'A company or project, which every event names as company.id. A project is a company of the same account. No company is ever deleted. Tables with many inserts reference companies without a foreign key, which PostgreSQL would check for each row';
comment on column company.time_zone is 'IANA name of the time zone for opening hours and for the days in flows';
comment on column company.opening_hours is 'JSON text: ranges by weekday, in minutes from midnight (rules/flows/opening-hours); null when unknown, which counts as always open';
comment on column company.opt_out_salt is 'The salt of the hashes in opt_out_memory; null until a contact who was opted out is erased';
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
comment on column person.unverified_in_account_id is 'The only account that trusts this address: the invitation was not sent to it by e-mail, so it may belong to another person. Null when the person has proved that the address is theirs';
comment on column person.password_hash is 'argon2id; null until the person sets a password';
comment on column person.is_demonstration is 'True for the Owner of the demonstration account, who has no password, signs in by the link of a start, and does not count as having set up the service';
comment on column person.language is 'The language of the dashboard and of e-mails to this person; null for the language that the browser prefers';
comment on column person.digits is 'The digits that the dashboard uses in Arabic';
comment on column person.time_shown is 'The time zone of times in the dashboard: that of the browser, or UTC';
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
comment on table invitation is 'Open invitations; an invitation that was accepted or withdrawn is deleted';
comment on column invitation.is_mailed is 'True when the link was only sent to the address by e-mail, so that the person who accepts it has that mailbox';
create unique index invitation_email on invitation (account_id, lower(email));

create table set_up (
  is_only boolean primary key default true check (is_only),
  seed text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  person_id uuid references person
);
comment on table set_up is 'The set-up of the service by the first Owner: one row, which allows it once';
comment on column set_up.seed is 'Random bytes from which the token is derived with an encryption key; a start a day after they were made replaces them';
comment on column set_up.person_id is 'The person who became the first Owner';

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
comment on column session.token_hash is 'SHA-256 of the token, which is 32 random bytes as text and is not stored';
comment on column session.account_id is 'The account in which the person works with this session';
comment on column session.carrier is 'The transport of the token: a browser''s cookie, or a program''s Authorization header';
comment on column session.last_seen_at is 'The time of the last request, to the minute; idle sessions end by it';
comment on column session.expires_at is 'The time when the session ends, also if it is in use';
create index session_person on session (person_id);
create index session_expires on session (expires_at);

-- Every process is notified of a session that ends or moves to another account, so that its live streams end
-- immediately.
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
comment on table trusted_device is 'A browser in which a person has signed in: its wrong passwords are counted apart from those of unknown clients';
comment on column trusted_device.token_hash is 'SHA-256 of the token, which is 32 random bytes as text and is only in the browser''s cookie';
create index trusted_device_person on trusted_device (person_id, known_since desc);
create index trusted_device_expires on trusted_device (expires_at);

create table sign_in_failure (
  id uuid primary key,
  throttle_key bytea not null,
  failed_at timestamptz not null
);
comment on table sign_in_failure is 'One row for each wrong password and each throttle key: the e-mail address and the client''s address';
comment on column sign_in_failure.throttle_key is 'SHA-256 of the e-mail address or network address whose failures are counted';
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
comment on column second_factor.secret is 'Encrypted: the base32 secret from which the codes are computed';
comment on column second_factor.confirmed_at is 'The time of the first valid code; null while the set-up is unfinished and no code is required';
comment on column second_factor.used_step is 'The number of the 30-second step, counted from 1970, of the newest used code; that code and earlier ones are refused';

create table recovery_code (
  person_id uuid not null references person,
  code_hash bytea not null,
  primary key (person_id, code_hash)
);
comment on table recovery_code is 'Codes that each replace a code of the second factor once; a used one is deleted';

create table pending_sign_in (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  account_id uuid not null references account,
  carrier text not null check (carrier in ('cookie', 'bearer')),
  tries smallint not null default 0,
  expires_at timestamptz not null
);
comment on table pending_sign_in is 'Sign-ins with a correct password that wait for the code of the second factor';
create index pending_sign_in_person on pending_sign_in (person_id);
create index pending_sign_in_expires on pending_sign_in (expires_at);

create table password_reset (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null unique references person,
  expires_at timestamptz not null
);
comment on table password_reset is 'Links to choose a new password, sent to the person''s own address; only the newest link of a person is valid';
create index password_reset_expires on password_reset (expires_at);

create table rate_limit_counter (
  account_id uuid not null references account,
  what text not null,
  minute timestamptz not null,
  used smallint not null,
  primary key (account_id, what, minute)
);
comment on column rate_limit_counter.what is 'The counted action: tests_and_resends, connection_tests, invitations or model_tests';
comment on column rate_limit_counter.minute is 'The beginning of the clock minute that is counted';
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
comment on column audit.detail is 'JSON text without secrets, tokens and credentials';
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
comment on column notice.person_id is 'The only recipient; null for all Owners and Admins';
comment on column notice.kind is 'endpoint_switched_off, endpoint_failing, mentioned, appointments_outside_hours, model_broken or model_allowance';
comment on column notice.subject_id is 'The endpoint or note that the notice concerns; null for appointments and models';
comment on column notice.details is 'JSON text: the values of the notice''s sentences';
comment on column notice.mail_due_at is 'The time of the next attempt to send its e-mail, which is the end of the lease while it is being sent; null when no e-mail is sent any more';
comment on column notice.claim_id is 'The claim (fencing token) of the process that sends its e-mail; it names the node';
create index notice_account on notice (account_id, id desc);
create index notice_mail_due on notice (mail_due_at) where mail_due_at is not null;
create index notice_claimed on notice (lease_expires_at) where claim_id is not null;

create table operator_switch (
  name text primary key,
  is_on boolean not null,
  changed_at timestamptz not null
);
comment on column operator_switch.name is 'sending_held or hooks_paused';
