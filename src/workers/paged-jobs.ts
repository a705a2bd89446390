/** The workers that process jobs page by page, in the database and on any node. */
import { BROADCAST_JOBS } from '../modules/broadcasts/broadcast-job.ts'
import type { LinkDeps } from '../modules/broadcasts/write-to-recipients.ts'
import { IMPORT_JOBS } from '../modules/contacts/import/step-imports.ts'
import { TAG_JOBS } from '../modules/contacts/step-tag-jobs.ts'
import type { Context } from '../infra/context.ts'
import {
  nextPageDue,
  processDuePages,
  type JobTable,
  type PagedJob,
} from '../infra/database/queues/pages.ts'
import { RESEND_JOBS } from '../modules/deliveries/step-resend-jobs.ts'
import { CLOSE_JOBS } from '../modules/inbox/step-close-jobs.ts'
import { withoutConcurrency, type ConcurrentWorker } from './worker-loop.ts'

/** Dependencies of all kinds of jobs. */
type Deps = Context & LinkDeps

/** A kind of job: its table, and the function that processes a page of its due jobs. */
type Kind = { table: JobTable; step(deps: Deps): Promise<number> }

const kind = <Table extends JobTable, Needed>(job: PagedJob<Table, Needed>) => ({
  table: job.table,
  step: (deps: Needed & Deps) => processDuePages(deps, job),
})

/** The kinds of jobs by the name of their worker. */
export const PAGED_JOBS = {
  resend: [kind(RESEND_JOBS)],
  'close-conversations': [kind(CLOSE_JOBS)],
  'work-contacts': [kind(TAG_JOBS), kind(IMPORT_JOBS)],
  'send-broadcasts': [kind(BROADCAST_JOBS)],
} as const satisfies Record<string, readonly Kind[]>

/** Workers that send nothing and therefore run while sending is paused. */
const SENDS_NOTHING: readonly string[] = ['work-contacts']

/**
 * Creates the workers of jobs that are processed page by page. `pausable` ones do not run while sending is paused after
 * a restore.
 */
export function createPagedJobsWorkers(deps: Deps): {
  pausable: ConcurrentWorker[]
  alwaysOn: ConcurrentWorker[]
} {
  const workers = Object.entries(PAGED_JOBS).map(([name, kinds]) =>
    createPagedJobsWorker(name, kinds, deps),
  )
  return {
    pausable: workers.filter(({ name }) => !SENDS_NOTHING.includes(name)),
    alwaysOn: workers.filter(({ name }) => SENDS_NOTHING.includes(name)),
  }
}

function createPagedJobsWorker(name: string, kinds: readonly Kind[], deps: Deps): ConcurrentWorker {
  return withoutConcurrency({
    name,
    async work() {
      let steps = 0
      for (const { step } of kinds) steps += await step(deps)
      return steps > 0
    },
    async nextDue() {
      const dues: Date[] = []
      for (const one of kinds) {
        const due = await nextPageDue(deps.db.kysely, one)
        if (due) dues.push(due)
      }
      return dues.toSorted((a, b) => Number(a) - Number(b))[0] ?? null
    },
  })
}
