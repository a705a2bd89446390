-- What changed, kept for minutes and only for companies that somebody watches.

create table live_watch (
  company_id uuid primary key references company,
  watched_until timestamptz not null,
  since_xid bigint not null default pg_current_xact_id()::text::bigint
);
comment on table live_watch is 'Companies that somebody watches; while it is empty, changes cost nothing';
comment on column live_watch.since_xid is 'Changes of transactions from here on are kept';

create unlogged table live_change (
  xid bigint not null,
  company_id uuid not null,
  entity text not null,
  id text not null,
  changed_at timestamptz not null default now()
);
comment on table live_change is 'What changed, by entity and id; unlogged, as a watcher that misses some reads the lists again';
comment on column live_change.xid is 'Transaction of the change: those below the oldest one still open are complete';
create index live_change_xid on live_change (xid);

-- For any table with `company_id` and `id`: the argument is the entity. What was made, or is gone; and what changed.
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
