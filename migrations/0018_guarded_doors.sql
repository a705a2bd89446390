-- What guards the service's own doors: verify tokens that are found by their hash, browsers that are
-- known, e-mail addresses that nobody has proved, and word of sessions that end.

alter table channel add column verify_token_hash bytea;
comment on column channel.verify_token_hash is 'SHA-256 of the verify token; null when deleted, and until the first start after this migration fills it';
create index channel_verify_token on channel (verify_token_hash) where deleted_at is null;

create table known_device (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  known_since timestamptz not null,
  expires_at timestamptz not null
);
comment on table known_device is 'A browser in which a person has signed in: its wrong passwords are counted apart from strangers''';
comment on column known_device.token_hash is 'SHA-256 of the 32 random bytes as text; the token is in the browser''s cookie alone';
create index known_device_person on known_device (person_id, known_since desc);
create index known_device_expires on known_device (expires_at);

alter table invitation add column is_mailed boolean not null default false;
comment on column invitation.is_mailed is 'Its link went to the address by e-mail and to nobody else: who accepts it has that mailbox';

comment on column minute_count.what is 'tests_and_resends, connection_tests or invitations';

-- Whoever is a person already keeps their address.
alter table person add column unproved_in uuid references account;
comment on column person.unproved_in is 'The one account in which this address is believed: the invitation was handed over by hand, so it may be somebody else''s. Null: the address is the person''s own';
drop index person_email;
create unique index person_email on person (lower(email)) where unproved_in is null;
create unique index person_email_unproved on person (lower(email), unproved_in)
  where unproved_in is not null;

-- A session that ends, or goes on in another account, is told of to every process: what it watches there
-- ends at once.
create function tell_of_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('wasla_session_ended', old.id::text);
  return null;
end $$;
create trigger session_ended after delete or update of account_id on session
  for each row execute function tell_of_ended_session();
