-- Opt-outs were remembered by the form in which a number was written, before all forms of one line had one key.
create function number_other_form(key text) returns text language sql immutable strict parallel safe return
  case
    when key ~ '^55[0-9]{2}9[6-9][0-9]{7}$' then substr(key, 1, 4) || substr(key, 6)
    when key ~ '^52[0-9]{10}$' then '521' || substr(key, 3)
    when key ~ '^549[0-9]{10}$' then '54' || substr(key, 4)
  end;

-- An e-mail address is the customer's where the shop says so: whoever fills in a form may be anybody.
alter table contact add column email_from text;
comment on column contact.email_from is 'Who gave the e-mail address: a source of contacts; null where there is none, or nobody knows';
update contact set email_from = coalesce(
  (select merged.snapshot::jsonb ->> 'source' from contact_merge merged
    where merged.into_id = contact.id and merged.snapshot::jsonb ->> 'email' = contact.email
      and merged.snapshot::jsonb ->> 'source' in ('enquiry', 'booking_page') limit 1),
  -- A message gives no address: a member or an import wrote it down since.
  case source when 'message' then 'member' else source end)
where email is not null;

-- What a provider shows to be one, and is too many to be: two contacts for a member to judge.
alter table identity_change drop constraint identity_change_what_check,
  add constraint identity_change_what_check
    check (what in ('joined', 'merged', 'attached', 'former', 'left', 'not_joined'));
create index identity_change_not_joined on identity_change (company_id) where what = 'not_joined';
