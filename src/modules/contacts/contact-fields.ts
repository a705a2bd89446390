import type { Kysely } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  ContactFieldView,
  CreateContactField,
  EditContactField,
} from '../../contract/dashboard/contact.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { ContactFieldKind } from '../../core/vocabulary/contacts.ts'

type FieldRow = Pick<
  Awaited<ReturnType<typeof readFields>>[number],
  'id' | 'key' | 'label' | 'kind' | 'choices' | 'archivedAt'
>

/** Returns the company's custom fields, also archived ones, in the order of their creation. */
export async function listContactFields(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: ContactFieldView[] }> {
  return { items: (await readFields(db.kysely, companyId)).map(viewField) }
}

/** Creates a custom field. @throws invalid when the key is taken; limit_reached. Spec: Contacts › Fields. */
export async function createContactField(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, ...input }: CreateContactField & { companyId: string },
): Promise<ContactFieldView> {
  const field = { id: ids.uuid(), ...input, archivedAt: null }
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const { fields: max } = CONTACT_LIMITS
    if ((await readFields(tx, companyId)).length >= max) {
      throw new ServiceError('limit_reached', fact('too_many_contact_fields', { max }))
    }
    await tx
      .insertInto('contactField')
      .values({ ...field, companyId, createdAt: now, updatedAt: now })
      .execute()
    const { key, label, kind } = input
    await audit('contact_field.created', { id: field.id, companyId }, { key, label, kind })
    return viewField(field)
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'contact_field_company_id_key_key')) throw error
    throw wrongField('key', fact('contact_field_key_taken'))
  })
}

/**
 * Changes the given attributes of a field. Values of an archived field are shown and sent nowhere, but kept until it
 * is restored. Values that a changed list of choices no longer contains are kept, too.
 * @throws not_found; invalid
 */
export async function editContactField(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, fieldId, ...input }: EditContactField & { companyId: string; fieldId: string },
): Promise<ContactFieldView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const before = await tx
      .selectFrom('contactField')
      .selectAll()
      .where('id', '=', fieldId)
      .where('companyId', '=', companyId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_contact_field')))
    requireChoices(before.kind, input.choices)
    const wasArchived = before.archivedAt !== null
    const after = {
      ...before,
      label: input.label ?? before.label,
      choices: input.choices ?? before.choices,
      archivedAt: (input.isArchived ?? wasArchived) ? (before.archivedAt ?? now) : null,
    }
    const isSame =
      after.label === before.label &&
      JSON.stringify(after.choices) === JSON.stringify(before.choices) &&
      (after.archivedAt !== null) === wasArchived
    if (isSame) return viewField(before)
    const { label, choices, archivedAt } = after
    await tx
      .updateTable('contactField')
      .set({ label, choices, archivedAt, updatedAt: now })
      .where('id', '=', fieldId)
      .where('companyId', '=', companyId)
      .execute()
    await audit('contact_field.edited', { id: fieldId, companyId }, { key: before.key, ...input })
    return viewField(after)
  })
}

function requireChoices(kind: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || (kind === 'choice') === choices.length > 0) return
  const why = fact(kind === 'choice' ? 'choices_needed' : 'choices_not_wanted')
  throw wrongField('choices', why)
}

function readFields(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('contactField')
    .select(['id', 'key', 'label', 'kind', 'choices', 'archivedAt'])
    .where('companyId', '=', companyId)
    .orderBy('id')
    .execute()
}

function viewField({ id, key, label, kind, choices, archivedAt }: FieldRow): ContactFieldView {
  const isArchived = archivedAt !== null
  return { id, key, label, kind: kind as ContactFieldKind, choices, isArchived }
}
