-- Of two contacts that had one line in two forms, one is found by it since contacts have identities, and the other by
-- nothing: its conversation stands without an identifier. An opt-out of that one counts for the line: for the contact that
-- is found, unless its own newer word has opted it in.
with lost as (
  select holder.id, max(lost.opted_out_at) as opted_out_at,
    max(coalesce(lost.opt_out_word_at, lost.opted_out_at)) as word_at
  from conversation
    join contact lost on lost.id = conversation.contact_id and lost.opted_out_at is not null
    join identifier on identifier.company_id = conversation.company_id and identifier.kind = 'number'
      and identifier.state <> 'left' and identifier.key = number_key(conversation.filed_under)
    join identity on identity.id = identifier.identity_id
    join contact holder on holder.id = identity.contact_id and holder.id <> lost.id
  where conversation.channel_type in ('whatsapp', 'whatsapp_qr')
    and not exists (select from identifier own where own.identity_id = conversation.identity_id)
    and holder.opted_out_at is null
    and coalesce(holder.opt_out_word_at, '-infinity') <= coalesce(lost.opt_out_word_at, lost.opted_out_at)
  group by holder.id
)
update contact set opted_out_at = lost.opted_out_at, opt_out_word_at = lost.word_at
from lost where contact.id = lost.id;
