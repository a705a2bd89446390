-- An Agent changes and deletes the saved replies that they have made; Owners and Admins all of them.
alter table canned_reply add column created_by uuid references person on delete set null;
comment on column canned_reply.created_by is 'The member who made it; null where that was not kept yet';
create index canned_reply_created_by on canned_reply (created_by) where created_by is not null;
