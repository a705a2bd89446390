/** Errors while a tool is used: a fault of this service, and a database that is away. */
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import {
  createReplyJob,
  type PerformableEffect,
  type ReplyJobDeps,
} from '../../src/modules/assistant/reply-job.ts'
import type { ClaimedReply } from '../../src/modules/assistant/reply-queue.ts'

/** Uses a tool that throws this error, in a reply. */
function useFailing(error: Error) {
  const use = vi.fn<() => Promise<never>>().mockRejectedValue(error)
  const tool = { isNamed: () => true, use }
  const deps = { log: pino({ level: 'silent' }), tools: [tool], beginTyping: () => () => {} }
  const job = createReplyJob(
    deps as unknown as ReplyJobDeps,
    { companyId: 'a company' } as ClaimedReply,
  )
  const effect = { kind: 'use', epoch: 1, number: 1, name: 'find_slots', input: '{}' }
  return job.perform({ ...effect, toolContext: {} } as unknown as PerformableEffect)
}

test('A database that is away becomes no result of a tool, whose next claim decides about it', async () => {
  const used = useFailing(new Error('Connection terminated'))
  await expect(used).rejects.toSatisfy(isDatabaseUnavailable)
})

test('A fault of this service is reported to the model as not checked', async () => {
  expect(await useFailing(new Error('a fault'))).toMatchObject({
    kind: 'result',
    result: { isDone: false, hasEffect: true },
  })
})
