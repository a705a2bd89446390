/** Members' actions on one lead. Each returns the current lead. An action without effect is no error. */
import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { requirePeople } from '../accounts/require-people.ts'
import type { Context } from '../../infra/context.ts'
import type { EditLead, LeadView, LoseLead } from '../../contract/dashboard/lead.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { moveLead, type LeadMove } from '../../rules/leads/move-lead.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { LeadStatus } from '../../core/vocabulary/leads.ts'
import { raiseQualified, type LeadRow, type OwnedLead } from './lead.ts'
import { customerKey, lockLeadCustomers } from './lock-lead-customers.sql.ts'
import { noSuchLead, viewLeads } from './view-leads.ts'

/**
 * Changes the given fields of a lead. @throws not_found; invalid for an owner who is no member. Spec: Leads › Fields.
 */
export async function editLead(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, leadId, ...given }: OwnedLead & EditLead,
): Promise<LeadView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    if (given.ownerId) await requirePeople(tx, actor, { ownerId: [given.ownerId] })
    const before = await lockLead(tx, { companyId, leadId })
    const changes = Object.entries(given).filter(
      ([key, to]) => to !== undefined && before[key as keyof LeadRow] !== to,
    )
    if (changes.length === 0) return show(tx, before)
    const changed = await write(tx, before, { ...Object.fromEntries(changes), updatedAt: now })
    const fields = changes.map(([key]) => key)
    await audit('lead.edited', { id: leadId, companyId }, { fields })
    return show(tx, changed)
  })
}

/**
 * Marks an open lead as qualified and raises `lead.qualified`.
 * @throws not_found; conflict for one that was won or lost.
 * Spec: Leads › Qualifying.
 */
export function qualifyLead(context: Context, actor: Actor, owned: OwnedLead): Promise<LeadView> {
  return move(context, actor, owned, 'qualify', (now) => ({ qualifiedAt: now }))
}

/** Marks a lead as won. @throws not_found; conflict for one that was lost */
export function winLead(context: Context, actor: Actor, owned: OwnedLead): Promise<LeadView> {
  return move(context, actor, owned, 'win', (now) => ({ closedAt: now }))
}

/** Marks a lead as lost, for a reason if one is given. @throws not_found; conflict for one that was won */
export function loseLead(
  context: Context,
  actor: Actor,
  { reason = null, ...owned }: OwnedLead & LoseLead,
): Promise<LeadView> {
  return move(context, actor, owned, 'lose', (now) => ({
    closedAt: now,
    lostHow: 'member',
    lostReason: reason,
  }))
}

/**
 * Opens a won or lost lead again, without an owner who is no longer a member.
 * @throws not_found; conflict when the customer has another lead that is open or qualified.
 */
export function reopenLead(context: Context, actor: Actor, owned: OwnedLead): Promise<LeadView> {
  const asNew = { qualifiedAt: null, closedAt: null, lostHow: null, lostReason: null }
  return move(context, actor, owned, 'reopen', () => asNew)
}

/** The audit action of each move. */
const AUDIT_ACTIONS: Record<LeadMove, string> = {
  qualify: 'lead.qualified',
  win: 'lead.won',
  lose: 'lead.lost',
  reopen: 'lead.reopened',
}

async function move(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedLead,
  made: LeadMove,
  changeAt: (now: Date) => Partial<LeadRow>,
): Promise<LeadView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { id: companyId, name } = await loadCompany(tx, actor, owned.companyId)
    const before = await lockLead(tx, owned)
    const status = before.status as LeadStatus
    const moved = moveLead(status, made)
    if (!moved.ok) throw new ServiceError('conflict', fact(moved.reason, { status }))
    if (moved.value === status) return show(tx, before)
    const change: Partial<LeadRow> = { status: moved.value, ...changeAt(now), updatedAt: now }
    if (made === 'reopen') {
      await requireNoOther(tx, before)
      change.ownerId = await stillMember(tx, actor, before.ownerId)
    }
    const lead = await write(tx, before, change)
    if (made === 'qualify') {
      await raiseQualified(tx, { ids, now }, [{ company: { id: companyId, name }, lead }])
    }
    await audit(AUDIT_ACTIONS[made], { kind: 'lead', id: lead.id, companyId })
    return show(tx, lead)
  })
}

/**
 * Locks a lead and its customer, so that no concurrent request creates another lead. A merge may change the customer
 * while this waits for the lock; the lead is then read again.
 */
async function lockLead(tx: Transaction<DB>, { companyId, leadId }: OwnedLead): Promise<LeadRow> {
  const find = tx
    .selectFrom('lead')
    .selectAll()
    .where('id', '=', leadId)
    .where('companyId', '=', companyId)
  const seen = await find.executeTakeFirstOrThrow(() => noSuchLead())
  await lockLeadCustomers(tx, [companyId], [seen])
  const lead = await find.forUpdate().executeTakeFirstOrThrow(() => noSuchLead())
  return customerKey(lead) === customerKey(seen) ? lead : lockLead(tx, { companyId, leadId })
}

/** Checks that the customer has no other lead that is open or qualified. @throws conflict */
async function requireNoOther(tx: Transaction<DB>, lead: LeadRow): Promise<void> {
  const other = await tx
    .selectFrom('lead')
    .select('id')
    .where('companyId', '=', lead.companyId)
    .where('status', 'in', ['open', 'qualified'])
    .$if(lead.contactId !== null, (query) => query.where('contactId', '=', lead.contactId))
    .$if(lead.contactId === null, (query) =>
      query.where('contactId', 'is', null).where('conversationId', '=', lead.conversationId),
    )
    .executeTakeFirst()
  if (other) throw new ServiceError('conflict', fact('customer_has_lead', { leadId: other.id }))
}

/** Returns the person if they are still a member, else null, after waiting for a concurrent removal. */
async function stillMember(
  tx: Transaction<DB>,
  { accountId }: Actor,
  personId: string | null,
): Promise<string | null> {
  if (personId === null) return null
  const member = await tx
    .selectFrom('member')
    .select('personId')
    .where('accountId', '=', accountId)
    .where('personId', '=', personId)
    .forKeyShare()
    .executeTakeFirst()
  return member?.personId ?? null
}

function write(
  tx: Transaction<DB>,
  { id, companyId }: LeadRow,
  change: Partial<LeadRow>,
): Promise<LeadRow> {
  return tx
    .updateTable('lead')
    .set(change)
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function show(tx: Transaction<DB>, lead: LeadRow): Promise<LeadView> {
  const [shown] = await viewLeads(tx, [lead])
  return shown!
}
