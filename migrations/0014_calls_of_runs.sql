-- What a run keeps of the calls that its steps make to the merchant's API.

alter table flow_run
  add column calls_in_go smallint not null default 0,
  add column calls_in_go_ms integer not null default 0;
comment on column flow_run.calls_in_go is 'Calls made since the customer''s last message to this run; a repeated GET is one call';
comment on column flow_run.calls_in_go_ms is 'Milliseconds that those calls took, repeats included';

alter table flow_run_step
  add column call_attempts smallint,
  add column call text;
comment on column flow_run_step.call_attempts is 'Of a call: the requests that were about to go out, written before each; 0 when none was';
comment on column flow_run_step.call is 'JSON text: contract/dashboard/run, RunCall; no credential, query, header or body';
