-- What the hourly sweep finds by their age: ended runs, steps, deliveries that wait, days of counts.
-- Deliveries and events of the log are found by their ids, which are ordered by time.

create index flow_run_ended on flow_run (ended_at) where ended_at is not null;
create index flow_run_step_started on flow_run_step (started_at);
create index webhook_delivery_waiting on webhook_delivery (created_at)
  where state in ('pending', 'held');
create index template_day_day on template_day (day);
