-- An Agent changes and deletes the saved replies that they have made; Owners and Admins all of them.
alter table canned_reply add column created_by uuid references person on delete set null;
comment on column canned_reply.created_by is 'The member who made it; null where that was not kept yet';
create index canned_reply_created_by on canned_reply (created_by) where created_by is not null;

-- An import that was under way, or checked, before the rows of files were kept has none to bring in: it would end as done,
-- and what is left of its file would be lost. It is checked again, and finds what it has brought in already unchanged.
update contact_import set state = 'uploaded', due_at = null, next_byte = first_byte, next_row = 2, rows_found = null,
  created = 0, updated = 0, unchanged = 0, left_out = 0, combined = 0
where state in ('checking', 'checked', 'running') and next_row > 2
  and not exists (select from contact_import_row where import_id = contact_import.id);
