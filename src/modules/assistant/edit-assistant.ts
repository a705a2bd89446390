import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AssistantView, EditAssistant } from '../../contract/dashboard/assistant.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError, wrongField, wrongFields } from '../../core/service-error.ts'
import {
  readAssistant,
  readUsableModels,
  viewAssistant,
  type AssistantDeps,
  type AssistantSettings,
  type UsableModels,
} from './view-assistant.ts'

/**
 * Changes the given settings of the assistant. It may be switched on before a model is available, and answers as soon
 * as one is.
 * @throws stale when the settings have changed since `revision`; invalid for an unknown contact field, or for an
 * ability that no model has.
 * Spec: Assistant › Settings.
 */
export async function editAssistant(
  { db, ids, clock, models }: Context & AssistantDeps,
  actor: Actor,
  { companyId, revision, ...input }: EditAssistant & { companyId: string },
): Promise<AssistantView> {
  const usable = await readUsableModels({ db, models }, actor.accountId)
  const after = await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const before = await readAssistant(tx, companyId)
    if (before.revision !== revision) throw new ServiceError('stale', fact('assistant_changed'))
    const changed = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    ) as Partial<typeof before>
    const added = changed.readableFields?.filter((key) => !before.readableFields.includes(key))
    await requireFields(tx, companyId, added ?? [])
    requireAble(changed, before, usable)
    const settings = { ...before, ...changed, revision: revision + 1, updatedAt: now }
    const row = { ...settings, texts: JSON.stringify(settings.texts) }
    await tx
      .insertInto('assistant')
      .values({ companyId, ...row })
      .onConflict((on) => on.column('companyId').doUpdateSet(row))
      .execute()
    // Instructions may be long and are sent to models, so the audit only names the changed fields.
    await audit(
      'assistant.edited',
      { id: companyId, companyId },
      {
        fields: Object.keys(changed),
        ...(settings.isOn === before.isOn ? {} : { isOn: settings.isOn }),
      },
    )
    return settings
  })
  return viewAssistant(after, usable)
}

/** Throws when an ability is switched on that no model has. An ability that is on stays on. */
function requireAble(
  changed: Partial<AssistantSettings>,
  before: AssistantSettings,
  { hears, sees }: UsableModels,
): void {
  const errors = [
    ...(changed.transcribes && !before.transcribes && !hears
      ? [{ field: 'transcribes', ...fact('no_model_hears') }]
      : []),
    ...(changed.readsImages && !before.readsImages && !sees
      ? [{ field: 'readsImages', ...fact('no_model_sees') }]
      : []),
  ]
  if (errors.length > 0) throw wrongFields(errors)
}

async function requireFields(
  tx: Transaction<DB>,
  companyId: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const rows = await tx
    .selectFrom('contactField')
    .select('key')
    .where('companyId', '=', companyId)
    .where('archivedAt', 'is', null)
    .where('key', 'in', keys)
    .execute()
  const unknown = keys.find((key) => !rows.some((row) => row.key === key))
  if (unknown === undefined) return
  throw wrongField('readableFields', fact('unknown_contact_field', { key: unknown }))
}
