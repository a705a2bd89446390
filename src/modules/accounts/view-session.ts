import type { Context } from '../../infra/context.ts'
import type { SessionView } from '../../contract/dashboard/session.ts'
import type { AccountHold, Plan, Role } from '../../core/vocabulary/accounts.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { listCompanies } from './list-companies.ts'
import type { Session } from './load-session.ts'
import { showPerson } from './person.ts'
import { viewSecondFactor } from './second-factor.ts'

/** Returns the signed-in person, the account with its companies, and the accounts that the person may switch to. */
export async function viewSession(
  context: Context & { sendMail: unknown },
  session: Session,
): Promise<SessionView> {
  const { db } = context
  const { actor } = session
  const accounts = await db.kysely
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.accountId')
    .select([
      'account.id',
      'account.name',
      'account.plan',
      'account.needsSecondFactor',
      'account.templatesPerDay',
      'member.role',
    ])
    .where('member.personId', '=', actor.personId)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .execute()
  const { items: companies, nextCursor } = await listCompanies(context, actor, {
    limit: DASHBOARD_LIMITS.pageItems,
  })
  const here = accounts.find((account) => account.id === actor.accountId)
  const plan = (here?.plan ?? 'free') as Plan
  return {
    id: session.id,
    person: await showPerson(db.kysely, actor),
    account: {
      id: actor.accountId,
      name: here?.name ?? null,
      plan,
      needsSecondFactor: here?.needsSecondFactor ?? false,
      hold: session.hold as AccountHold | null,
      features: {
        ...PLAN_LIMITS[plan],
        ...(here && here.templatesPerDay !== null && { templatesPerDay: here.templatesPerDay }),
      },
    },
    role: actor.role,
    secondFactor: await viewSecondFactor(context, session),
    companies: companies.map(({ id, name, isProject, timeZone }) => ({
      id,
      name,
      isProject,
      timeZone,
    })),
    hasMoreCompanies: nextCursor !== null,
    hasMail: context.sendMail !== null,
    isDemonstration: session.isDemonstration,
    accounts: accounts.map(({ id, name, role }) => ({ id, name, role: role as Role })),
    passwordEnteredAt: session.passwordEnteredAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  }
}
