-- Hook URLs, which start flows, the counters of their requests, and the last body of each.

create table hook_url (
  id uuid primary key,
  company_id uuid not null references company,
  flow_id uuid not null unique references flow,
  token_hash bytea not null unique,
  token_last_four text not null,
  created_at timestamptz not null,
  replaced_at timestamptz
);
comment on column hook_url.token_hash is 'SHA-256 of the whole token, which is shown once and is not stored';

-- Live streams report changed URLs and new requests.
create trigger hook_url_made after insert on hook_url
  referencing new table as made for each statement execute function note_made('hook_url');
create trigger hook_url_changed after update on hook_url
  referencing new table as after for each statement execute function note_changed_rows('hook_url');
create trigger hook_url_gone after delete on hook_url
  referencing old table as made for each statement execute function note_made('hook_url');

create table hook_url_count (
  hook_url_id uuid primary key references hook_url on delete cascade,
  company_id uuid not null references company,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
comment on column hook_url_count.window_start is 'The clock minute in which requests are counted';

create table company_hook_count (
  company_id uuid primary key references company,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
comment on column company_hook_count.window_start is 'The clock hour in which requests are counted';

create table hook_shape (
  hook_url_id uuid primary key references hook_url on delete cascade,
  company_id uuid not null references company,
  body text not null,
  answer_status text not null,
  received_at timestamptz not null
) with (fillfactor = 50);
comment on column hook_shape.body is 'JSON text of the last body, with long lists and strings cut; kept for 30 days';

create function note_hook_requests() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, came.company_id, 'hook_url', came.hook_url_id
    from came join live_watch using (company_id);
  end if;
  return null;
end $$;
create trigger hook_shape_made after insert on hook_shape
  referencing new table as came for each statement execute function note_hook_requests();
create trigger hook_shape_changed after update on hook_shape
  referencing new table as came for each statement execute function note_hook_requests();
