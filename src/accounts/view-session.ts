import type { Context } from '../context.ts'
import type { SessionView } from '../contract/dashboard/session.ts'
import type { Plan, Role } from '../vocabulary/accounts.ts'
import type { Session } from './load-session.ts'

/** Who is signed in, in which account, and which others they may switch to. */
export async function viewSession({ db }: Context, session: Session): Promise<SessionView> {
  const { actor } = session
  const accounts = await db.kysely
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.accountId')
    .select(['account.id', 'account.name', 'account.plan', 'member.role'])
    .where('member.personId', '=', actor.personId)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .execute()
  const here = accounts.find((account) => account.id === actor.accountId)
  return {
    id: session.id,
    person: { id: actor.personId, email: actor.email, name: actor.name },
    account: {
      id: actor.accountId,
      name: here?.name ?? null,
      plan: (here?.plan ?? 'free') as Plan,
    },
    role: actor.role,
    isDemonstration: session.isDemonstration,
    accounts: accounts.map(({ id, name, role }) => ({ id, name, role: role as Role })),
    passwordEnteredAt: session.passwordEnteredAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  }
}
