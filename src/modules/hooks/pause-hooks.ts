import type { Context } from '../../infra/context.ts'

/**
 * Pauses the hooks of every account, or lets them go on: while paused each request is answered
 * `503 service_unavailable` and counts for nothing. Holds on every node from the next request on. The
 * operator alone does this. Spec: Hooks › Order of checks.
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
