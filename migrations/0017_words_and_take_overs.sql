-- Whose word is newest, how long the owner's reply keeps a conversation, who has been told of one, and
-- the runs that a deleted flow leaves.

alter table contact add column opt_out_word_at timestamptz;
update contact set opt_out_word_at = opted_out_at where opted_out_at is not null;
comment on column contact.opt_out_word_at is 'Own time of the newest word or act that opted out or in, whether or not it changed anything; an older one that comes later changes nothing';

alter table channel add column take_over_hours smallint not null default 24
  check (take_over_hours between 1 and 168);
comment on column channel.take_over_hours is 'Hours that the owner''s reply from the provider''s app keeps flows and assistant out of a conversation';

alter table conversation add column taken_over_until timestamptz;
comment on column conversation.taken_over_until is 'While handled_by is staff by the owner''s replies from the provider''s app: when it is given back by itself; null: a person has it until they give it back';
-- Until now only such a reply made staff handle a conversation.
update conversation set taken_over_until = interval '24 hours' + coalesce(
    (select max(least(message.occurred_at, message.created_at)) from message
      where message.conversation_id = conversation.id and message.sender = 'owner_app'
        and not message.is_imported),
    conversation.created_at)
  where handled_by = 'staff';

alter table conversation add column announced_at timestamptz;
comment on column conversation.announced_at is 'When conversation.started was raised, or history told of a message of the customer; null while only the business has written';
update conversation set announced_at = created_at
  where exists (select from message where message.conversation_id = conversation.id
      and message.direction = 'in')
    or not exists (select from message where message.conversation_id = conversation.id
      and message.sender = 'owner_app' and message.created_at = conversation.created_at);
comment on column conversation.service_window_ends_at is 'When the window for replies closes that the customer''s last message opened; null when they never wrote, and on channels without a window';

alter table flow add column has_runs_to_end boolean not null default false;
comment on column flow.has_runs_to_end is 'Deleted, and runs of it are still open: they are ended in batches';
create index flow_with_runs_to_end on flow (deleted_at) where has_runs_to_end;
create index flow_run_active_of_flow on flow_run (flow_id)
  where status in ('queued', 'running', 'waiting');
