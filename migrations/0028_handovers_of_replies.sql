-- A reply that is swept is looked for among the handovers: without this, all of them are read for each.

create index handover_reply on handover (reply_id) where reply_id is not null;
