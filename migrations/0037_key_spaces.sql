-- A key given to a test run or a start by hand is apart from the Idempotency-Keys of hook requests: neither makes the
-- other a repeat.
drop index flow_run_key;
create unique index flow_run_hook_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind = 'webhook';
create unique index flow_run_member_key on flow_run (flow_id, idempotency_key)
  where idempotency_key is not null and trigger_kind <> 'webhook';
comment on column flow_run.idempotency_key is 'As the hook request named it, or the member''s browser for a start by hand: two spaces';
