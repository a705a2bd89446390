-- What the owner of an account is told, and how often members may do what costs something.

create table notice (
  id uuid primary key,
  account_id uuid not null references account,
  company_id uuid not null references company,
  kind text not null,
  subject_id uuid,
  details text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  mail_due_at timestamptz,
  mail_attempts smallint not null default 0,
  mailed_at timestamptz
);
comment on column notice.kind is 'endpoint_switched_off or endpoint_failing; more may come';
comment on column notice.subject_id is 'What it is about: the endpoint';
comment on column notice.details is 'JSON text: what the words of the notice are made from';
comment on column notice.mail_due_at is 'When its e-mail is to be tried next; null when none is to be sent any more';
create index notice_account on notice (account_id, id desc);
create index notice_mail_due on notice (mail_due_at) where mail_due_at is not null;

create table minute_count (
  account_id uuid not null references account,
  what text not null,
  minute timestamptz not null,
  used smallint not null,
  primary key (account_id, what, minute)
);
comment on column minute_count.what is 'tests_and_resends or connection_tests';
comment on column minute_count.minute is 'The beginning of a clock minute';
create index minute_count_minute on minute_count (minute);
