import type { Context } from '../../infra/context.ts'

/**
 * Pauses or resumes the hooks of every account. A paused hook answers each request with `503 service_unavailable` and
 * counts nothing. Has effect on every node from the next request on. Only the operator does this. Spec: Hooks › Order
 * of checks.
 */
export async function pauseHooks(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { isPaused }: { isPaused: boolean },
): Promise<void> {
  const now = clock.now()
  await db.kysely
    .insertInto('operatorSwitch')
    .values({ name: 'hooks_paused', isOn: isPaused, changedAt: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ isOn: isPaused, changedAt: now })
        .where('operatorSwitch.isOn', '<>', isPaused),
    )
    .execute()
}
