import { sql, type RawBuilder } from 'kysely'
import type { Proof } from '../../rules/identity/identifier.ts'

/** The current identifiers of a conversation's customer; null for unknown ones. */
export type OwnAddress = {
  /** Digits without `+`. */
  number: string | null
  numberProof: Proof | null
  businessScopedId: string | null
  lid: string | null
}

/**
 * Returns the SQL query of the current identifiers by which a conversation's customer is reached. Each conversation
 * keeps its customer's own number and ids, also when other identities were merged into the contact.
 * @param isReply whether to prefer the number that wrote, as for an answer within the window; a number that a member
 * typed is never that
 * @param scope of the channel's business-scoped ids
 * Spec: Contacts › Merging; reading K5.
 */
export function ownAddress({
  isReply = sql`false`,
  scope = sql`null::text`,
}: {
  isReply?: RawBuilder<unknown>
  scope?: RawBuilder<unknown>
} = {}): RawBuilder<OwnAddress> {
  const of = sql`from identifier where identifier.identity_id = conversation.identity_id`
  return sql<OwnAddress>`
    select number.value as number, number.proof as number_proof,
      (select value ${of} and kind in ('user', 'parent') and state = 'current'
          -- An id of another business account is meaningless on this channel.
          and (kind = 'parent' or scope is null or ${scope} is null or scope = ${scope}
            or value = conversation.filed_under)
        order by kind = 'user' desc, scope is not distinct from ${scope} desc, first_at desc limit 1) as business_scoped_id,
      (select value ${of} and kind = 'lid' and state = 'current'
        order by value = conversation.filed_under desc, first_at desc limit 1) as lid
    from (select) one left join lateral (select value, proof ${of} and kind = 'number'
        and (state = 'current' or state = 'former' and proof = 'shown' and changed_at is null and (${isReply}))
      order by (${isReply}) and proof <> 'shown', state, first_at desc limit 1) number on true`
}
