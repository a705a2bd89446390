-- Customers whose provider tells what they are called only when it is asked.

create table name_to_ask (
  conversation_id text primary key references conversation on delete cascade,
  company_id uuid not null references company,
  due_at timestamptz not null,
  attempt smallint not null default 0
);
comment on table name_to_ask is 'Conversations whose customer has no name yet, while their provider is still to be asked for it';
comment on column name_to_ask.due_at is 'When it is asked next; while it is asked, when another process may';
create index name_to_ask_due on name_to_ask (due_at);
