import type pg from 'pg'

export type NewContact = {
  id: string
  companyId: string
  name: string | null
  phone: string
  language: string | null
}
export type NewAlias = { companyId: string; number: string; contactId: string }
export type NewConversation = {
  id: string
  companyId: string
  channelId: string
  contactId: string
  filedUnder: string
}
export type NewRun = {
  id: string
  companyId: string
  flowId: string
  flowVersionId: string
  channelId: string
  conversationId: string
  contactId: string
  idempotencyKey: string | null
  language: string | null
  variables: Record<string, string | null>
}
export type NewShape = { hookId: string; companyId: string; body: string; status: string }

export type Accepted = {
  contacts: NewContact[]
  aliases: NewAlias[]
  conversations: NewConversation[]
  runs: NewRun[]
  shapes: NewShape[]
}

/**
 * Writes all that a batch of hook requests has started, in one statement.
 *
 * Isolation: keys and customers are locked by the caller, so nothing here is written twice; the
 * unique index on (flow, key) stands behind that and breaks the batch off if it were. Shapes are
 * written in the order of their ids, so that two batches cannot deadlock.
 */
export async function writeAccepted(
  client: pg.PoolClient,
  { contacts, aliases, conversations, runs, shapes }: Accepted,
  now: Date,
): Promise<void> {
  const sorted = shapes.toSorted((a, b) => (a.hookId < b.hookId ? -1 : 1))
  await client.query({
    name: 'write-accepted',
    text: `
      with new_contact as (
        insert into contact (id, company_id, name, phone, language, tags, created_at, updated_at)
        select *, array['webhook'], $1, $1
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[]) as made
      ), new_alias as (
        insert into contact_alias (company_id, kind, value, contact_id, created_at)
        select company_id, 'number', number, contact_id, $1
        from unnest($7::uuid[], $8::text[], $9::uuid[]) as made (company_id, number, contact_id)
        on conflict do nothing
      ), new_conversation as (
        insert into conversation
          (id, company_id, channel_id, contact_id, filed_under, channel_type, created_at, announced_at)
        select *, 'whatsapp', $1, $1
        from unnest($10::text[], $11::uuid[], $12::uuid[], $13::uuid[], $14::text[]) as made
      ), new_run as (
        insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
          contact_id, idempotency_key, language, variables, trigger_kind, status, wake_at, created_at)
        select *, 'webhook', 'queued', $1, $1
        from unnest($15::uuid[], $16::uuid[], $17::uuid[], $18::uuid[], $19::uuid[], $20::text[],
          $21::uuid[], $22::text[], $23::text[], $24::text[]) as made
      )
      insert into hook_shape (hook_url_id, company_id, body, answer_status, received_at)
      select *, $1 from unnest($25::uuid[], $26::uuid[], $27::text[], $28::text[]) as made
      on conflict (hook_url_id) do update set body = excluded.body,
        answer_status = excluded.answer_status, received_at = excluded.received_at`,
    values: [
      now,
      contacts.map((row) => row.id),
      contacts.map((row) => row.companyId),
      contacts.map((row) => row.name),
      contacts.map((row) => row.phone),
      contacts.map((row) => row.language),
      aliases.map((row) => row.companyId),
      aliases.map((row) => row.number),
      aliases.map((row) => row.contactId),
      conversations.map((row) => row.id),
      conversations.map((row) => row.companyId),
      conversations.map((row) => row.channelId),
      conversations.map((row) => row.contactId),
      conversations.map((row) => row.filedUnder),
      runs.map((row) => row.id),
      runs.map((row) => row.companyId),
      runs.map((row) => row.flowId),
      runs.map((row) => row.flowVersionId),
      runs.map((row) => row.channelId),
      runs.map((row) => row.conversationId),
      runs.map((row) => row.contactId),
      runs.map((row) => row.idempotencyKey),
      runs.map((row) => row.language),
      runs.map((row) => JSON.stringify(row.variables)),
      sorted.map((row) => row.hookId),
      sorted.map((row) => row.companyId),
      sorted.map((row) => row.body),
      sorted.map((row) => row.status),
    ],
  })
}
