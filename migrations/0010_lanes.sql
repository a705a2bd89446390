-- What is due waits in a lane, what is due later does not: a claim never looks at what must wait.

alter table webhook_delivery add column lane text check (lane in ('first', 'again', 'test'));
comment on column webhook_delivery.lane is 'While due: first attempts of events, retries and resends, or tests. Null: not due, or not seen to be due yet';
create index webhook_delivery_ready on webhook_delivery (lane, endpoint_id, due_at)
  where state = 'pending' and claim_id is null and lane is not null;
create index webhook_delivery_later on webhook_delivery (due_at)
  where state = 'pending' and claim_id is null and lane is null;

-- One index tells whose lease has ended and how many are in flight, of whom.
drop index webhook_delivery_claimed;
drop index webhook_delivery_in_flight;
create index webhook_delivery_in_flight on webhook_delivery (claimed_until, company_id, endpoint_id)
  where claim_id is not null;

-- Whose deliveries are to be held or cancelled.
create index endpoint_off on endpoint (off_at) where off_at is not null;
create index endpoint_deleted on endpoint (deleted_at) where deleted_at is not null;

-- A day of attempts is dropped without a lock on the companies.
alter table delivery_attempt drop constraint delivery_attempt_company_id_fkey;

create index delivery_hour_hour on delivery_hour (hour);
