-- How people sign in: sessions, invitations, failures that slow guessing down, and the first set-up.

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

create table invitation (
  id uuid primary key,
  token_hash bytea not null unique,
  account_id uuid not null references account,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  invited_by uuid references person,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table invitation is 'Open invitations; one that was accepted or withdrawn is gone';
create unique index invitation_email on invitation (account_id, lower(email));

create table sign_in_failure (
  id uuid primary key,
  throttle_key bytea not null,
  failed_at timestamptz not null
);
comment on table sign_in_failure is 'One row per wrong password, for the e-mail address and for the client''s address';
comment on column sign_in_failure.throttle_key is 'SHA-256 of what is counted: an e-mail or a network address';
create index sign_in_failure_key on sign_in_failure (throttle_key, failed_at);
create index sign_in_failure_age on sign_in_failure (failed_at);

create table set_up (
  is_only boolean primary key default true check (is_only),
  token_hash bytea not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  person_id uuid references person
);
comment on table set_up is 'The first owner''s set-up: one row, closed for good once it was used';
comment on column set_up.person_id is 'Who was made the first Owner';

create index audit_page on audit (account_id, id desc);
create index member_person on member (person_id);
