-- Whom a conversation is with stays known after a merge: by the contact that it was of, and not by numbers, which change.

alter table contact_alias add column merged_from uuid;
comment on column contact_alias.merged_from is 'contact_merge.from_id: the contact that it was of before a merge; null: of no other. Who writes by it goes on with that one''s conversations';

alter table conversation add column merged_from uuid;
comment on column conversation.merged_from is 'contact_merge.from_id: the contact that it was with before a merge, whose ids and number it goes on with; null: with no other';

alter table contact_merge add column phone text;
comment on column contact_merge.phone is 'E.164: the number that it has by now, to which what is said in its conversations goes; null when none is known';

-- Of merges before, as far as the contact's number at the merge tells it.
update contact_merge set phone = snapshot::jsonb ->> 'phone';
update conversation set merged_from = merged.from_id
from contact_merge merged
where merged.into_id = conversation.contact_id and '+' || conversation.filed_under = merged.phone;
update contact_alias alias set merged_from = merged.from_id
from contact_merge merged
where merged.into_id = alias.contact_id and alias.kind = 'number' and '+' || alias.value = merged.phone;
