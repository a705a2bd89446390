-- An account that moves to another installation is on hold: before it leaves, after it has left, and where it arrived
-- until the operator releases it.

alter table account
  add column hold text check (hold in ('leaving', 'moved', 'arrived')),
  add column hold_since timestamptz,
  add column deletion_began_at timestamptz,
  add check ((hold is null) = (hold_since is null));
comment on column account.hold is 'Why nothing is accepted, sent or done for the account: it is being exported (leaving), works in another installation (moved), or was imported and not released yet (arrived). Null while it works';
comment on column account.hold_since is 'When the hold began';
comment on column account.deletion_began_at is 'When the deletion of what a moved account left behind began: it cannot be taken back afterwards';

-- Opt-out links that were sent before a move were proven by the keys of the installation where the account was.
create table moved_link_key (
  id uuid primary key,
  account_id uuid not null references account,
  fingerprint text not null,
  key text not null,
  created_at timestamptz not null,
  unique (account_id, fingerprint)
);
comment on table moved_link_key is 'Keys of links of an account, of each installation that it has been exported from';
comment on column moved_link_key.fingerprint is 'SHA-256 of the key, in hexadecimal';
comment on column moved_link_key.key is 'Encrypted';

-- A line of a visitor that is imported was shown before: it keeps its time.
create or replace function show_to_visitor() returns trigger language plpgsql as $$
begin
  if current_setting('wasla.is_import', true) = 'on' or (new.status = 'unknown' and not exists (
    select from channel where id = new.channel_id and type = 'web_widget'
  )) then
    return new;
  end if;
  new.shown_at := clock_timestamp();
  perform pg_notify('wasla_visitor_notified', new.conversation_id);
  return new;
end $$;
