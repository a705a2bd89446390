-- An account that moves to another installation is on hold: during its export, afterwards, and in the new installation
-- until the operator releases it.

alter table account
  add column hold text check (hold in ('leaving', 'moved', 'arrived')),
  add column hold_since timestamptz,
  add column deletion_began_at timestamptz,
  add check ((hold is null) = (hold_since is null));
comment on column account.hold is 'The reason why the account accepts, sends and processes nothing: it is being exported (leaving), works in another installation (moved), or was imported and is not released yet (arrived). Null while it works';
comment on column account.hold_since is 'The time when the hold began';
comment on column account.deletion_began_at is 'The time when the deletion of the rows of a moved account began, after which the move cannot be undone';

-- Opt-out links that were sent before a move have proofs by the keys of the installation from which the account moved.
create table moved_link_key (
  id uuid primary key,
  account_id uuid not null references account,
  fingerprint text not null,
  key text not null,
  created_at timestamptz not null,
  unique (account_id, fingerprint)
);
comment on table moved_link_key is 'The keys of an account''s links, one for each installation from which it was exported';
comment on column moved_link_key.fingerprint is 'SHA-256 of the key, in hexadecimal';
comment on column moved_link_key.key is 'Encrypted';

-- An imported message of a visitor was shown before, so it keeps its time.
create or replace function show_to_visitor() returns trigger language plpgsql as $$
begin
  if current_setting('wasla.is_import', true) = 'on' then
    return new;
  end if;
  new.shown_at := clock_timestamp();
  perform pg_notify('wasla_visitor_notified', new.conversation_id);
  return new;
end $$;
