-- Changes for live streams, kept for minutes and only for companies with an open stream.

create table live_watch (
  company_id uuid primary key references company,
  watched_until timestamptz not null,
  since_xid bigint not null default pg_current_xact_id()::text::bigint
);
comment on table live_watch is 'Companies with open live streams; while it is empty, no change is recorded';
comment on column live_watch.since_xid is 'The first transaction whose changes are recorded';

create unlogged table live_change (
  xid bigint not null,
  company_id uuid not null,
  entity text not null,
  id text not null,
  changed_at timestamptz not null default now()
);
comment on table live_change is 'Changes by entity and id. It is unlogged: a stream that misses some reads the lists again';
comment on column live_change.xid is 'The transaction of the change; changes below the oldest open transaction are complete';
create index live_change_xid on live_change (xid);

-- Triggers for any table with `company_id` and `id`: one for inserted and deleted rows, one for updated rows. The
-- argument is the entity.
create function note_made() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, made.company_id, tg_argv[0], made.id
    from made join live_watch using (company_id);
  end if;
  return null;
end $$;

create function note_changed_rows() returns trigger language plpgsql as $$
begin
  if exists (select from live_watch) then
    insert into live_change (xid, company_id, entity, id)
    select pg_current_xact_id()::text::bigint, after.company_id, tg_argv[0], after.id
    from after join live_watch using (company_id);
  end if;
  return null;
end $$;
