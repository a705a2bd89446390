/**
 * The service of `deliveries.ts`: the daemon alone, with all workers. On a message it raises events itself, as a
 * process that serves requests does, and sends the time of each commit.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../src/app/config.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { raiseEvent } from '../src/modules/events/raise-event.ts'
import { createService } from '../src/app/create-service.ts'

/** The message with which the bench requests events: `total` of them, `aSecond` a second. */
export type ToRaise = { companyIds: string[]; total: number; aSecond: number }

const service = await createService(readConfig(process.env, [], import.meta.dirname))
const { db, ids, clock } = service.context

async function raise(companyId: string, nth: number, committed: number[]) {
  await transaction(db, async (tx) => {
    const now = clock.now()
    const company = { id: companyId, name: 'Shop' }
    const data = { message: `${nth}` }
    await raiseEvent(tx, { ids, now }, { type: 'ping', company, data, occurredAt: now })
  })
  // The start of a dispatched delivery is known: the work that a commit sets off may begin before this line.
  committed[nth] ??= performance.timeOrigin + performance.now()
}

const NTH = /"message":"(\d+)"/

/** Records the time at which the process learns of each commit. */
function noteCommits(committed: number[]) {
  const { deliveryDispatcher } = db.afterCommit
  if (!deliveryDispatcher) return
  db.afterCommit.deliveryDispatcher = {
    ...deliveryDispatcher,
    take(reserved, deliveries, saturated) {
      const at = performance.timeOrigin + performance.now()
      for (const { body } of deliveries)
        committed[Number(NTH.exec(body.toString('latin1'))![1])] = at
      deliveryDispatcher.take(reserved, deliveries, saturated)
    },
  }
}

let isStopping = false
let raised: Promise<void> = Promise.resolve()

async function raiseAll({ companyIds, total, aSecond }: ToRaise) {
  const committed: number[] = []
  noteCommits(committed)
  const startedAt = performance.now()
  const raising: Promise<void>[] = []
  for (let nth = 0; nth < total && !isStopping; nth += 1) {
    const waitMs = startedAt + (nth * 1_000) / aSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    raising.push(raise(companyIds[nth % companyIds.length]!, nth, committed))
  }
  await Promise.all(raising)
  process.send!(committed)
}

await service.warmUp()
process.send!('ready')
let isWorking = false
process.on('message', (message: 'go' | ToRaise) => {
  if (message !== 'go') raised = raiseAll(message)
  else if (!isWorking) {
    isWorking = true
    void service.startDaemon()
  }
})
process.on('SIGTERM', () => {
  // The bench may end meanwhile, but open transactions still need the database.
  isStopping = true
  void raised.then(() => service.stop()).then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
