-- Leads: customers who may buy. Flows, members, the assistant and enquiries create them; a customer has at most one open
-- or qualified lead.

create table lead (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid references contact,
  conversation_id text references conversation,
  status text not null check (status in ('open', 'qualified', 'won', 'lost')),
  temperature text check (temperature in ('cold', 'warm', 'hot')),
  score smallint check (score between 0 and 100),
  summary text,
  source text not null check (source in ('assistant', 'flow', 'member', 'website')),
  owner_id uuid references person,
  qualified_at timestamptz,
  closed_at timestamptz,
  lost_how text check (lost_how in ('member', 'merge')),
  lost_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (contact_id is not null or conversation_id is not null),
  check ((closed_at is null) = (status in ('open', 'qualified'))),
  check ((lost_how is null) = (status <> 'lost')),
  check (status <> 'qualified' or qualified_at is not null)
);
comment on column lead.contact_id is 'The contact; null for a visitor of a widget, who is identified by the conversation';
comment on column lead.conversation_id is 'The last conversation that led to the lead; null if a member created it for a contact';
comment on column lead.score is 'A whole number that people or flows set; it is never computed';
comment on column lead.qualified_at is 'The time of the last qualification; null again after reopening';
comment on column lead.closed_at is 'The time when the lead was won or lost';
comment on column lead.lost_how is 'The cause: a member, or a merge with a contact that has a lead';
comment on column lead.lost_reason is 'The reason that the member gave';
create unique index lead_of_contact on lead (contact_id)
  where status in ('open', 'qualified') and contact_id is not null;
create unique index lead_of_visitor on lead (conversation_id)
  where status in ('open', 'qualified') and contact_id is null;
create index lead_contact on lead (contact_id) where contact_id is not null;
create index lead_owner on lead (owner_id) where owner_id is not null;
create index lead_newest on lead (company_id, created_at desc, id desc);
create index lead_newest_by_status on lead (company_id, status, created_at desc, id desc);
create index lead_best on lead (company_id, coalesce(score, -1) desc, id desc);
create index lead_best_by_status on lead (company_id, status, coalesce(score, -1) desc, id desc);
create trigger lead_made after insert on lead
  referencing new table as made for each statement execute function note_made('lead');
create trigger lead_changed after update on lead
  referencing new table as after for each statement execute function note_changed_rows('lead');
