/**
 * A job of every kind with effects, whose first advance starts an effect that the test performs. A new kind needs a
 * line here: `test/workers/every-effect-job.test.ts` checks them all.
 */
import { createReplyJob, type ReplyJobDeps } from '../../src/modules/assistant/reply-job.ts'
import type { EffectResult } from '../../src/modules/assistant/reply-context.ts'
import { REPLY_QUEUE } from '../../src/modules/assistant/reply-queue.ts'
import type { Call, CompletedCall } from '../../src/modules/connections/make-call.ts'
import { cancelRuns } from '../../src/modules/flows/runs/cancel-runs.sql.ts'
import { createRunJob } from '../../src/modules/flows/runs/run-job.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { cancelReplies } from '../../src/modules/messaging/cancel-replies.sql.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { ClaimedJob, Queue } from '../../src/infra/database/queues/queue.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { REPLY_WORK } from '../../src/core/limits/replies.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { EffectJob } from '../../src/workers/effect-jobs.ts'
import { createRunBatcher } from '../../src/workers/run-batcher.ts'
import { advanceDeps } from './advances.ts'
import type { Assisted, AssistedShop } from './assistant.ts'
import { repliesOf, replyOf } from './records/assistant.ts'
import { runOf } from './records/runs.ts'
import { callStep, connectApi } from './shop-api.ts'
import { templateStep } from './shop.ts'
import { newPhone, type ConnectedShop } from './simulator.ts'

/** Effects and their results are those of the kind. */
export type Job = EffectJob<{ kind: string }, object>

export type EffectJobs = {
  queue: Queue<ClaimedJob>
  retryDelaysMs: readonly number[]
  /** True when the effect is started again after its process has died. */
  isRepeated: boolean
  /** The state of a job that has used the result of its effect, and of one that has failed after its last retry. */
  done: string
  failed: string
  /** Adds a job that is due. Returns its id. */
  add(): Promise<string>
  /** Begins a claimed job. `effect` performs its effects. */
  begin(claimed: ClaimedJob, effect: () => Promise<void>, stopping: AbortSignal): Job
  cancel(id: string): Promise<unknown>
  read(id: string): Promise<{ state: string; failureCount: number; claimId: string | null }>
}

/** Returns the kinds of jobs by the names of their queues. */
export const effectJobsOf = (assisted: Assisted): Record<string, EffectJobs> => ({
  [RUN_QUEUE.name]: runJobs(assisted),
  [REPLY_QUEUE.name]: replyJobs(assisted),
})

/** Runs that make a POST request, then send a template. */
function runJobs({ world, whatsApp }: Assisted): EffectJobs {
  const { context } = world.service
  const advance = createRunBatcher(advanceDeps(world))
  let shop: ConnectedShop | undefined
  async function openShop(): Promise<ConnectedShop> {
    const id = context.ids.uuid()
    const paths = { next: 'tell', onFailure: null, keep: [] }
    const steps = { call: callStep(id, { method: 'POST' }, paths), tell: templateStep('done') }
    const opened = await whatsApp.openShop({ steps, start: 'call' })
    const { companyId } = opened
    await connectApi(world, { id, companyId, baseUrl: 'https://api.shop.example' })
    return opened
  }
  return {
    queue: RUN_QUEUE,
    retryDelaysMs: RUN_LIMITS.retryDelaysMs,
    isRepeated: false,
    done: 'running',
    failed: 'failed',
    async add() {
      shop ??= await openShop()
      return shop.order(newPhone())
    },
    begin(claimed, effect, stopping) {
      const makeCall = async ({ onAttempt }: Call) => {
        const target = { host: 'api.shop.example', path: '/' }
        const isBegun = await onAttempt!(1, target)
        if (isBegun) await effect()
        const answered = { outcome: 'success', httpStatus: 200, target, attempts: 1, durationMs: 5 }
        return answered as CompletedCall
      }
      const job = createRunJob({ ...context, advance, makeCall, stopping }, claimed)
      return { ...job, onEnd() {} }
    },
    cancel: (id) =>
      transaction(context.db, (tx) =>
        cancelRuns(tx, world.clock.now(), { runIds: [id] }, fact('run_cancelled_by_member')),
      ),
    async read(id) {
      const { status: state, failureCount, claimId } = await runOf(world, id)
      return { state, failureCount, claimId }
    },
  }
}

/** Replies to a question, for which a model is called. */
function replyJobs(assisted: Assisted): EffectJobs {
  const { world } = assisted
  const { context, keyRing, models } = world.service
  let shop: AssistedShop | undefined
  return {
    queue: REPLY_QUEUE,
    retryDelaysMs: REPLY_WORK.retryDelaysMs,
    isRepeated: true,
    done: 'sending',
    failed: 'handed_over',
    async add() {
      shop ??= await assisted.openShop()
      await shop.customer().says('When do you open?')
      world.clock.advance(3 * SECOND_MS)
      return (await repliesOf(world, shop)).at(-1)!.id
    },
    begin(claimed, effect, stopping) {
      const job = createReplyJob(
        {
          ...context,
          keyRing,
          models,
          stopping,
          operatorModel: models.operator,
          sentence: (code) => code,
          eagerClaimFor: () => null,
          guard: { observes: new Set(), note() {} },
          beginTyping: () => () => {},
        } as Partial<ReplyJobDeps> as ReplyJobDeps,
        claimed,
      )
      const perform: typeof job.perform = async ({ epoch, number }) => {
        await effect()
        const answer = { ok: true, text: 'At nine.', calls: [], finish: 'stop', thought: null }
        const usage = { tokensIn: 1, tokensOut: 1 }
        const asked = { model: 'scripted', tried: [], offered: [], carried: null, used: null }
        const of = { epoch, number, kind: 'answer' } as const
        return { ...of, ...asked, answer: { ...answer, usage } } as unknown as EffectResult
      }
      return { ...job, perform }
    },
    cancel: async (id) => {
      const { conversationId } = await replyOf(world, id)
      return transaction(context.db, (tx) =>
        cancelReplies(
          tx,
          world.clock.now(),
          { conversationIds: [conversationId] },
          fact('reply_staff_has_it'),
        ),
      )
    },
    async read(id) {
      const { state, failureCount, claimId } = await replyOf(world, id)
      return { state, failureCount, claimId }
    },
  }
}
