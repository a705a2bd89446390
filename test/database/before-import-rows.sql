-- What a database of version 0031 held besides before-identities.sql: rows of every kind that later migrations change.
insert into person (id, email, name, created_at)
values ('00000000-0000-7000-8000-000000000100', 'owner@shop.example', 'Owner', now());

insert into contact_import (id, company_id, name, state, headers, delimiter, size, first_byte, next_byte, next_row,
  rows_found, created, due_at, created_by, created_at, ended_at)
select ('00000000-0000-7000-8000-0000000002' || lpad(at::text, 2, '0'))::uuid,
  '00000000-0000-7000-8000-000000000002', state || '.csv', state, '{name,phone}', ',', 90, 12, next_byte, next_row,
  rows_found, created, case when state in ('checking', 'running') then now() end,
  '00000000-0000-7000-8000-000000000100', now(), case when at > 3 then now() end
from (values (0, 'uploaded', 12, 2, null::integer, 0), (1, 'checking', 40, 4, null, 0), (2, 'checked', 90, 6, 4, 0),
    (3, 'running', 90, 4, 4, 2), (4, 'done', 90, 6, 4, 4), (5, 'cancelled', 90, 4, 4, 2), (6, 'failed', 40, 4, null, 0))
  as import (at, state, next_byte, next_row, rows_found, created);
insert into contact_import_file (import_id, bytes) select id, 'name,phone'::bytea from contact_import;
insert into contact_import_key (import_id, key, row) select id, '+966501110099', 2 from contact_import;
insert into contact_import_fault (id, import_id, row, header, is_left_out, problem)
select gen_random_uuid(), id, 3, 'phone', true, '{"code":"invalid_phone"}' from contact_import;

insert into model (id, account_id, position, kind, model_name, context_tokens, created_at, updated_at)
select ('00000000-0000-7000-8000-00000000030' || at)::uuid, '00000000-0000-7000-8000-000000000001', at, kind, kind, 8000,
  now(), now()
from (values (1, 'openai'), (2, 'openai_compatible'), (3, 'anthropic')) as model (at, kind);

-- Written in this order within one second of the provider's, the ids against it.
insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text, occurred_at, created_at)
select 'm_' || id, '00000000-0000-7000-8000-000000000002', 'c_own', '00000000-0000-7000-8000-000000000003', 'in',
  'customer', 'text', id, '2026-11-01T10:00:00Z', timestamptz '2026-11-01T10:00:00Z' + at * interval '1 millisecond'
from (values (1, 'z'), (2, 'y'), (4, 'x')) as message (at, id);
insert into conversation_entry (id, company_id, conversation_id, kind, actor_kind, at)
values ('00000000-0000-7000-8000-000000000400', '00000000-0000-7000-8000-000000000002', 'c_own', 'note', 'member',
  '2026-11-01T10:00:00.003Z');

insert into flow (id, company_id, name, created_at, updated_at) values
  ('00000000-0000-7000-8000-000000000500', '00000000-0000-7000-8000-000000000002', 'Flow', now(), now());
insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind, created_at) values
  ('00000000-0000-7000-8000-000000000501', '00000000-0000-7000-8000-000000000002',
    '00000000-0000-7000-8000-000000000500', 1, '{}', 'webhook', now());
insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id, trigger_kind,
  idempotency_key, status, created_at, ended_at)
select ('00000000-0000-7000-8000-00000000051' || at)::uuid, '00000000-0000-7000-8000-000000000002',
  '00000000-0000-7000-8000-000000000500', '00000000-0000-7000-8000-000000000501',
  '00000000-0000-7000-8000-000000000003', 'c_own', kind, key, 'completed', now(), now()
from (values (1, 'webhook', 'order-1'), (2, 'manual', 'by-hand'), (3, 'keyword', null)) as run (at, kind, key);

insert into canned_reply (id, company_id, shortcut, text, created_at, updated_at)
values ('00000000-0000-7000-8000-000000000600', '00000000-0000-7000-8000-000000000002', 'hi', 'Hello', now(), now());

-- Whose word an e-mail address is: of each source of contacts, and of contacts into which another one was merged.
insert into contact (id, company_id, name, email, source, created_at, updated_at)
select ('00000000-0000-7000-8000-00000000070' || at)::uuid, '00000000-0000-7000-8000-000000000002', source || at,
  case when source <> 'none' then source || at || '@shop.example' end, replace(source, 'none', 'hook'), now(), now()
from (values (0, 'message'), (1, 'hook'), (2, 'member'), (3, 'import'), (4, 'booking_page'), (5, 'enquiry'), (6, 'none'),
    (7, 'member'), (8, 'member')) as contact (at, source);
insert into contact_merge (from_id, company_id, into_id, snapshot, merged_at) values
  ('00000000-0000-7000-8000-000000000717', '00000000-0000-7000-8000-000000000002',
    '00000000-0000-7000-8000-000000000707', '{"source":"enquiry","email":"member7@shop.example"}', now()),
  ('00000000-0000-7000-8000-000000000718', '00000000-0000-7000-8000-000000000002',
    '00000000-0000-7000-8000-000000000708', '{"source":"enquiry","email":"another@shop.example"}', now());
