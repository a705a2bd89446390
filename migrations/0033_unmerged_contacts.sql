-- A merge can be taken apart, pairs of contacts can be said not to be one, and what providers show of customers is kept.

alter table contact_merge add column given jsonb not null default '{}';
comment on column contact_merge.given is 'Values, fields and tags that the contact that stayed had not, and was given by this merge';
alter table contact_merge add column moved jsonb not null default '{}';
comment on column contact_merge.moved is 'By table the ids of the rows that were the merged contact''s; leads: the status that the merge took from them';
comment on column contact_merge.merged_by is 'Null where the provider has shown that both are one account';

alter table message add column joined_from text;
comment on column message.joined_from is 'The conversation in which it was said, where that was joined to this one';
alter table conversation_entry add column joined_from text;
comment on column conversation_entry.joined_from is 'The conversation in which it was done, where that was joined to this one';

create table not_same (
  company_id uuid not null references company,
  a uuid not null,
  b uuid not null,
  said_by uuid references person,
  said_at timestamptz not null,
  primary key (company_id, a, b),
  check (a < b)
);
comment on table not_same is 'Pairs of contacts that a member has said not to be one customer: they are suggested no more. The id of one that is merged leads on';

create table identity_change (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null,
  identity_id uuid,
  what text not null check (what in ('joined', 'merged', 'attached', 'former', 'left')),
  detail jsonb not null,
  at timestamptz not null
);
comment on table identity_change is 'What providers have shown of customers, and what became of their identities by it; kept for 400 days';
comment on column identity_change.contact_id is 'Of whom it is told; not a reference, as contacts are merged';
comment on column identity_change.detail is 'By which fact, and the identifier, identity or contact that it tells of';
comment on column identity_change.at is 'The time of the fact';
create index identity_change_contact on identity_change (contact_id, id);
