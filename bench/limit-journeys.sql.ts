/** The statements of `limit-journeys-process.ts`, each for all rows of a batch of journeys. */

/** SQL for raised events: the event, its body, and a delivery with a lease from the start. */
const EVENTS = (first: number) => `
  event as (
    insert into event (id, company_id, type, conversation_id, contact_id, run_id, occurred_at)
    select id, company_id, type, conversation_id, contact_id, run_id, $1::timestamptz
    from unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::text[], $${first + 3}::text[],
      $${first + 4}::uuid[], $${first + 5}::uuid[])
      as t (id, company_id, type, conversation_id, contact_id, run_id)
  ), body as (
    insert into event_body (id, api_version, body)
    select id, '2026-10', body from unnest($${first}::uuid[], $${first + 6}::bytea[]) as t (id, body)
  ), delivery as (
    insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version, kind,
      state, created_at)
    select delivery_id, company_id, endpoint_id, id, id, '2026-10', 'event', 'pending', $1::timestamptz
    from unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 7}::uuid[],
      $${first + 8}::uuid[]) as t (id, company_id, delivery_id, endpoint_id)
  ), queued as (
    insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at, claim_id, lease_expires_at)
    select delivery_id, company_id, endpoint_id, 'event', 'first', $1::timestamptz, $2::uuid,
      $1::timestamptz + interval '30 s'
    from unnest($${first + 1}::uuid[], $${first + 7}::uuid[], $${first + 8}::uuid[])
      as t (company_id, delivery_id, endpoint_id)
  )`

/** Starts the journeys. $1 now, $2 claim, $3 … of the journeys, $15 … of the events. */
export const BEGIN = `
  with journey as materialized (
    select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[],
      $9::text[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[])
      as t (account_id, company_id, channel_id, flow_id, version_id, contact_id, conversation_id,
        run_id, message_id, key, number, outbound)
  ), contact as (
    insert into contact (id, company_id, name, phone, language, created_at, updated_at)
    select contact_id, company_id, 'Sara', '+' || number, 'en', $1::timestamptz, $1::timestamptz from journey
  ), identity as (
    insert into identity (id, company_id, contact_id, created_at)
    select contact_id, company_id, contact_id, $1::timestamptz from journey
  ), identifier as (
    insert into identifier (company_id, identity_id, kind, key, value, proof, first_at)
    select company_id, contact_id, 'number', number, number, 'hook', $1::timestamptz from journey
  ), conversation as (
    insert into conversation (id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under,
      announced_at, last_message_at, created_at)
    select conversation_id, company_id, channel_id, 'whatsapp', contact_id, contact_id, number, $1::timestamptz, $1::timestamptz, $1::timestamptz
    from journey
  ), run as (
    insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
      contact_id, trigger_kind, idempotency_key, status, step_id, variables, steps, created_at)
    select run_id, company_id, flow_id, version_id, channel_id, conversation_id, contact_id,
      'webhook', key, 'running', 'tell', '{"order":"1043"}', 1, $1::timestamptz
    from journey
  ), message as (
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text,
      template_name, template_language, run_id, send_key, attempt, status, occurred_at, outbound,
      due_at, claim_id, lease_expires_at, created_at)
    select message_id, company_id, conversation_id, channel_id, 'out', 'flow', 'template', 'Ready',
      'order_ready', 'ar', run_id, run_id || ':1', 1, 'sending', $1::timestamptz, outbound, $1::timestamptz, $2::uuid,
      $1::timestamptz + interval '60 s', $1::timestamptz
    from journey
  ), step as (
    insert into flow_run_step (run_id, number, company_id, step_id, kind, status, message_id,
      started_at)
    select run_id, 1, company_id, 'tell', 'send_template', 'started', message_id, $1::timestamptz from journey
  ), sent as (
    insert into template_send (message_id, account_id, company_id, contact_id, sent_at)
    select message_id, account_id, company_id, contact_id, $1::timestamptz from journey
  ), day as (
    insert into template_day as counted (account_id, day, sent)
    select account_id, $1::timestamptz::date, count(*) from journey group by account_id order by account_id
    on conflict (account_id, day) do update set sent = counted.sent + excluded.sent
  ), ${EVENTS(15)}
  select count(*) from journey`

/** Records the accepted messages. $1 now, $2 messages, $3 runs, $4 the provider's ids. */
export const SENT = `
  with t as materialized (
    select * from unnest($2::text[], $3::uuid[], $4::text[]) as t (message_id, run_id, provider_id)
  ), message as (
    update message set status = 'accepted', provider_message_id = provider_id, outbound = null,
      due_at = null, claim_id = null, lease_expires_at = null
    from t where message.id = t.message_id
  ), step as (
    update flow_run_step set status = 'done', ended_at = $1::timestamptz
    from t where flow_run_step.run_id = t.run_id and number = 1
  ), queued as (
    insert into run_queue (id, company_id, is_new, due_at)
    select flow_run.id, company_id, false, $1::timestamptz + interval '1 day'
    from t join flow_run on flow_run.id = t.run_id
  ), waits as (
    insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at)
    select flow_run.id, 2, company_id, 'ask', 'wait_for_reply', 'started', $1::timestamptz
    from t join flow_run on flow_run.id = t.run_id
  )
  update flow_run set status = 'waiting', step_id = 'ask', wait_kind = 'reply', waiting_since = $1::timestamptz,
    wait_until = $1::timestamptz + interval '1 day', steps = 2, waits = 1, has_sent = true
  from t where flow_run.id = t.run_id`

/** Records receipts, one for each message. $1 now, $2 messages, $3 their latest statuses. */
export const RECEIPTS = `
  update message set status = t.status, sent_at = coalesce(sent_at, $1::timestamptz),
    delivered_at = case when t.status <> 'sent' then coalesce(delivered_at, $1::timestamptz) end,
    read_at = case when t.status = 'read' then $1::timestamptz end
  from unnest($2::text[], $3::text[]) as t (id, status) where message.id = t.id`

/** Stores replies, which end their runs. $1 now, $2 claim, $3 … of the replies, $13 … of the events. */
export const REPLIES = `
  with reply as materialized (
    select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[])
      as t (company_id, channel_id, contact_id, conversation_id, run_id, id, provider_id, quoted_id,
        text, scoped_id)
  ), contact as (
    update contact set whatsapp_id = scoped_id, updated_at = $1::timestamptz
    from reply where contact.id = reply.contact_id
  ), identifier as (
    insert into identifier (company_id, identity_id, kind, key, value, proof, first_at, shown_at)
    select company_id, contact_id, 'user', scoped_id, scoped_id, 'shown', $1::timestamptz, $1::timestamptz
    from reply
  ), conversation as (
    update conversation set last_message_at = $1::timestamptz, service_window_ends_at = $1::timestamptz + interval '1 day'
    from reply where conversation.id = reply.conversation_id
  ), message as (
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text,
      provider_message_id, reply_to_provider_id, occurred_at, created_at)
    select id, company_id, conversation_id, channel_id, 'in', 'customer', 'text', text, provider_id,
      quoted_id, $1::timestamptz, $1::timestamptz
    from reply
  ), kept as (
    insert into flow_run_reply (run_id, message_id, company_id, received_at, consumed_at)
    select run_id, id, company_id, $1::timestamptz, $1::timestamptz from reply
  ), waited as (
    update flow_run_step set status = 'done', ended_at = $1::timestamptz
    from reply where flow_run_step.run_id = reply.run_id and number = 2
  ), unqueued as (
    delete from run_queue where id = any($7::uuid[])
  ), ends as (
    insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at, ended_at)
    select run_id, 3, company_id, 'finish', 'end', 'done', $1::timestamptz, $1::timestamptz from reply
  ), run as (
    update flow_run set status = 'completed', ended_at = $1::timestamptz, step_id = null, wait_kind = null,
      waiting_since = null, wait_until = null, steps = 3,
      variables = jsonb_build_object('order', '1043', 'answer', reply.text)::text
    from reply where flow_run.id = reply.run_id
  ), ${EVENTS(13)}
  select count(*) from reply`

/** Records deliveries. $1 deliveries, $2 attempts, $3 companies, $4 urls, $5 begun, $6 ms, $7 statuses. */
export const DELIVERED = `
  with t as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[],
      $5::timestamptz[], $6::int[], $7::smallint[])
      as t (id, attempt_id, company_id, url, begun_at, ms, status)
  ), done as (
    delete from delivery_queue where id = any($1::uuid[])
  ), moved as (
    update webhook_delivery set state = 'delivered', attempts = 1, last_status = t.status, ended_at = t.begun_at
    from t where webhook_delivery.id = t.id
  )
  insert into delivery_attempt (id, company_id, delivery_id, number, url, started_at,
    duration_ms, http_status, signed_with)
  select attempt_id, company_id, id, 1, url, begun_at, ms, status, 'abcd' from t`
