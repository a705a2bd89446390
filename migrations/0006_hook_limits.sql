-- What hook requests and automated templates are counted with, and the last body of each hook URL.

create table operator_switch (
  name text primary key,
  is_on boolean not null,
  changed_at timestamptz not null
);
comment on column operator_switch.name is 'hooks_paused';

create table hook_url_count (
  hook_url_id uuid primary key references hook_url on delete cascade,
  company_id uuid not null references company,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
comment on column hook_url_count.window_start is 'The clock minute that requests are counted in';

create table company_hook_count (
  company_id uuid primary key references company,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
comment on column company_hook_count.window_start is 'The clock hour that requests are counted in';

create table hook_shape (
  hook_url_id uuid primary key references hook_url on delete cascade,
  company_id uuid not null references company,
  body text not null,
  answer_status text not null,
  received_at timestamptz not null
) with (fillfactor = 50);
comment on column hook_shape.body is 'JSON text of the last body, long lists and strings cut; kept 30 days';

alter table account add column templates_per_day integer check (templates_per_day >= 0);
comment on column account.templates_per_day is 'The operator''s number of automated templates a day; null: the plan''s';

create table template_day (
  account_id uuid not null references account,
  day date not null,
  sent integer not null,
  primary key (account_id, day)
) with (fillfactor = 50);
comment on table template_day is 'Automated templates of an account and its projects, by UTC day';

create table template_send (
  message_id text primary key references message on delete cascade,
  account_id uuid not null references account,
  company_id uuid not null references company,
  contact_id uuid references contact on delete set null,
  run_id uuid not null,
  sent_at timestamptz not null
);
comment on table template_send is 'Automated templates, kept 30 days; a customer''s allowance is counted here';
create index template_send_contact on template_send (contact_id, sent_at desc);
create index template_send_sent_at on template_send (sent_at);

-- A time-ordered id for rows that a statement makes by itself.
create function new_uuid_v7(at timestamptz) returns uuid language sql volatile as $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
          from 1 for 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;
