-- Who a customer is: a contact has identities, an identity has the identifiers by which a provider or a person knows it.

create table identity (
  id uuid primary key,
  company_id uuid not null references company,
  contact_id uuid not null references contact on delete cascade,
  came_from uuid,
  created_at timestamptz not null,
  unique (id, contact_id)
);
comment on table identity is 'One account of a customer at one provider, or a number of which nothing else is known: whom a reply reaches';
comment on column identity.came_from is 'contact_merge.from_id: the contact that it was of before a merge; null: always of this one';
create index identity_contact on identity (contact_id);

create table identifier (
  company_id uuid not null references company,
  identity_id uuid not null references identity on delete cascade,
  kind text not null
    check (kind in ('number', 'user', 'parent', 'lid', 'telegram', 'page', 'form', 'call')),
  key text not null,
  value text not null,
  scope text,
  proof text not null
    check (proof in ('shown', 'hook', 'member', 'import', 'call', 'form', 'booking')),
  state text not null default 'current' check (state in ('current', 'former', 'left')),
  first_at timestamptz not null,
  shown_at timestamptz,
  changed_at timestamptz
);
comment on table identifier is 'The values by which an identity is known';
comment on column identifier.key is 'What is compared: of a number its digits, in one form for each line';
comment on column identifier.value is 'As it came: what is shown and dialled';
comment on column identifier.scope is 'Of user and parent: the WhatsApp Business account that showed it, or the channel; another one in another scope contradicts nothing';
comment on column identifier.proof is 'shown: by the provider. Otherwise who wrote or typed it, which takes it from nobody';
comment on column identifier.state is 'current: shown and dialled. former: the identity has another of that kind now, and this one still finds it. left: it is another''s or nobody''s, and finds nobody';
comment on column identifier.shown_at is 'When the provider showed it last, as far as it was noted: a fact older than that never takes it away';
comment on column identifier.changed_at is 'When it became former or left; null of a number that a member has replaced: a customer who writes by it is still the same one';
create unique index identifier_key on identifier (company_id, kind, key) where state <> 'left';
create index identifier_identity on identifier (identity_id);
create index identifier_left on identifier (company_id, changed_at) where state = 'left';

-- The key of a number: one line has one. The same rule as rules/identity/number-key.
create function number_key(digits text) returns text language sql immutable strict parallel safe return
  case
    when digits ~ '^55[0-9]{2}[6-9][0-9]{7}$' then substr(digits, 1, 4) || '9' || substr(digits, 5)
    when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
    when digits ~ '^54[0-9]{10}$' then '549' || substr(digits, 3)
    else digits
  end;

alter table conversation add column identity_id uuid;
comment on column conversation.identity_id is 'Whom it is with; null for a web widget visitor';

create table conversation_join (
  from_id text primary key,
  company_id uuid not null references company,
  into_id text not null references conversation on delete cascade,
  joined_at timestamptz not null
);
comment on table conversation_join is 'Where the id of a conversation leads whose customer turned out to be the one of another: what was said in it stands there';
create index conversation_join_into on conversation_join (into_id);

-- Each contact had its own ids, and those of contacts that became part of it: an identity each. Ids of providers
-- without numbers are accounts of their own.
create temporary table identity_before on commit drop as
select gen_random_uuid() as id, company_id, contact_id, merged_from, account, min(created_at) as created_at
from (
  select company_id, contact_id, merged_from, created_at,
    case when kind = 'provider' then value end as account
  from contact_alias
  union all
  select contact.company_id, contact.id, null, contact.created_at, null
  from contact where phone is not null and not exists (
    select from contact_alias where contact_alias.company_id = contact.company_id
      and kind = 'number' and value = substr(contact.phone, 2))
) known
group by company_id, contact_id, merged_from, account;
insert into identity (id, company_id, contact_id, came_from, created_at)
select id, company_id, contact_id, merged_from, created_at from identity_before;

insert into identifier (company_id, identity_id, kind, key, value, scope, proof, state, first_at, shown_at, changed_at)
select alias.company_id, identity_before.id,
  case alias.kind
    when 'business_scoped' then 'user'
    when 'provider' then case
      when channel.type = 'telegram' then 'telegram'
      when channel.type = 'website' then 'form'
      when channel.type = 'voice' then 'call'
      else 'page' end
    else alias.kind end,
  case when alias.kind = 'number' then number_key(alias.value)
    when channel.type = 'telegram' then substr(alias.value, strpos(alias.value, ':') + 1)
    else alias.value end,
  case when channel.type = 'telegram' then substr(alias.value, strpos(alias.value, ':') + 1)
    else alias.value end,
  null,
  case when alias.learnt_from = 'provider' then 'shown'
    when contact.source in ('hook', 'import') then contact.source else 'member' end,
  case when alias.kind = 'number' and '+' || alias.value <> coalesce(
      case when alias.merged_from is null then contact.phone else merged.phone end, '')
    then 'former' else 'current' end,
  alias.created_at,
  case when alias.learnt_from = 'provider' then alias.created_at end,
  case when alias.kind = 'number' and '+' || alias.value <> coalesce(
      case when alias.merged_from is null then contact.phone else merged.phone end, '')
    then alias.created_at end
from contact_alias alias
  join contact on contact.id = alias.contact_id
  left join contact_merge merged on merged.from_id = alias.merged_from
  left join lateral (select type from channel
    where alias.kind = 'provider' and channel.company_id = alias.company_id
      and channel.provider_route = substr(alias.value, 1, greatest(strpos(alias.value, ':') - 1, 0))
    order by deleted_at is not null, created_at desc limit 1) channel on true
  join identity_before on identity_before.contact_id = alias.contact_id
    and identity_before.merged_from is not distinct from alias.merged_from
    and identity_before.account is not distinct from case when alias.kind = 'provider' then alias.value end
order by alias.learnt_from = 'provider' desc, alias.created_at
on conflict (company_id, kind, key) where state <> 'left' do nothing;

insert into identifier (company_id, identity_id, kind, key, value, proof, first_at)
select contact.company_id, identity_before.id, 'number', number_key(substr(phone, 2)), substr(phone, 2),
  case when contact.source in ('hook', 'import') then contact.source else 'member' end, contact.created_at
from contact join identity_before on identity_before.contact_id = contact.id
  and identity_before.merged_from is null and identity_before.account is null
where phone is not null
on conflict (company_id, kind, key) where state <> 'left' do nothing;

-- A conversation is of the identity that has what it is filed under, else of the contact's own.
update conversation set identity_id = coalesce(
  (select identity_before.id from contact_alias alias join identity_before
      on identity_before.contact_id = alias.contact_id
      and identity_before.merged_from is not distinct from alias.merged_from
      and identity_before.account is not distinct from case when alias.kind = 'provider' then alias.value end
    where alias.company_id = conversation.company_id and alias.value = conversation.filed_under
      and alias.contact_id = conversation.contact_id limit 1),
  (select identity_before.id from identity_before where identity_before.contact_id = conversation.contact_id
    order by merged_from is distinct from conversation.merged_from, account is not null, created_at limit 1))
where contact_id is not null;
with made as (
  insert into identity (id, company_id, contact_id, came_from, created_at)
  select gen_random_uuid(), company_id, contact_id, min(merged_from::text)::uuid, min(created_at) from conversation
  where contact_id is not null and identity_id is null group by company_id, contact_id
  returning id, contact_id)
update conversation set identity_id = made.id from made
where made.contact_id = conversation.contact_id and conversation.identity_id is null;

alter table conversation
  add constraint conversation_identity foreign key (identity_id, contact_id)
    references identity (id, contact_id) on update cascade,
  add constraint conversation_with_identity check ((identity_id is null) = (contact_id is null));
alter table conversation drop constraint conversation_channel_id_filed_under_key;
create index conversation_filed on conversation (channel_id, filed_under);
create unique index conversation_of_visitor on conversation (channel_id, filed_under) where identity_id is null;
create index conversation_of_identity on conversation (identity_id, channel_id);

drop table contact_alias;
alter table conversation drop column merged_from;
alter table contact_merge drop column phone;

alter table contact add column opt_out_word_how text;
comment on column contact.opt_out_word_how is 'How that word or act was said; null where it was before this was kept';

-- A number is shown of one contact: of whom it finds.
update contact set phone = null where phone is not null and not exists (
  select from identifier join identity on identity.id = identifier.identity_id
  where identifier.company_id = contact.company_id and identifier.kind = 'number' and identifier.state <> 'left'
    and identifier.key = number_key(substr(contact.phone, 2)) and identity.contact_id = contact.id);
update contact set whatsapp_id = null where whatsapp_id is not null and not exists (
  select from identifier join identity on identity.id = identifier.identity_id
  where identifier.company_id = contact.company_id and identifier.kind in ('user', 'parent', 'lid')
    and identifier.state <> 'left' and identifier.key = contact.whatsapp_id and identity.contact_id = contact.id);
drop index contact_phone;
create unique index contact_phone on contact (company_id, number_key(substr(phone, 2))) where phone is not null;
create unique index contact_whatsapp_id on contact (company_id, whatsapp_id) where whatsapp_id is not null;
