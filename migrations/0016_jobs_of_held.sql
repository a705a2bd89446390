-- A job that sends what was held lets go of a delivery and of its resends alike: they are several rows
-- of one source.

drop index webhook_delivery_job;
create index webhook_delivery_job on webhook_delivery (job_id) where job_id is not null;
