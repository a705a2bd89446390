/** The duty that works what is done to many contacts, a page at a time and on any node. */
import { nextImportStep, stepImports } from '../contacts/import/step-imports.ts'
import { nextTagJobStep, stepTagJobs } from '../contacts/step-tag-jobs.ts'
import type { Context } from '../context.ts'
import type { WorkingDuty } from './loop.ts'

export function createWorkContactsDuty(
  context: Pick<Context, 'db' | 'clock' | 'ids' | 'log'>,
): WorkingDuty {
  return {
    name: 'work-contacts',
    work: async () => (await stepTagJobs(context)) + (await stepImports(context)) > 0,
    async nextDue() {
      const dues = [await nextTagJobStep(context), await nextImportStep(context)]
      return dues.filter((due) => due !== null).toSorted((a, b) => Number(a) - Number(b))[0] ?? null
    },
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
