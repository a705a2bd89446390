-- Accounts, their companies (the account's own and its projects), people and what they did.

create table account (
  id uuid primary key,
  name text,
  plan text not null check (plan in ('free', 'starter', 'pro', 'business')),
  created_at timestamptz not null
);
comment on column account.plan is 'Shared by the account and its projects';

create table company (
  id uuid primary key,
  account_id uuid not null references account,
  name text,
  is_project boolean not null default false,
  created_at timestamptz not null
);
comment on table company is 'Named in every event as company.id; a project is a company of the same account';
create index company_account on company (account_id);

create table person (
  id uuid primary key,
  email text not null,
  name text,
  password_hash text,
  created_at timestamptz not null
);
comment on column person.password_hash is 'argon2id; null until the person sets a password';
create unique index person_email on person (lower(email));

create table member (
  id uuid primary key,
  account_id uuid not null references account,
  person_id uuid not null references person,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null,
  unique (account_id, person_id)
);

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
create index audit_account on audit (account_id, created_at desc);
