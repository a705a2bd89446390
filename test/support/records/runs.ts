/** Runs of flows and the steps that they took. */
import {
  given,
  newIdOf,
  nowOf,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

export type RunRecord = RecordOf<'flowRun'>

type Of = {
  companyId?: string
  channelId?: string
  contactId?: string
  conversationId?: string
  flowId?: string
}

export const runOf = (world: Recorded, runId: string): Promise<RunRecord> =>
  storeOf(world).selectFrom('flowRun').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()

/** Returns the runs of a company, channel, contact, conversation or flow, in the order in which they began. */
export const runsOf = (
  world: Recorded,
  { companyId, channelId, contactId, conversationId, flowId }: Of,
): Promise<RunRecord[]> =>
  storeOf(world)
    .selectFrom('flowRun')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId, contactId, conversationId, flowId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Adds a run of the company's flow that waits for its customer. Returns its id. */
export async function addRun(
  world: Recorded,
  {
    companyId,
    channelId,
    flowId,
    versionId,
  }: { companyId: string; channelId: string; flowId: string; versionId: string },
  more: FieldsOf<'flowRun'> & { conversationId: string },
): Promise<string> {
  const id = more.id ?? newIdOf(world)
  await storeOf(world)
    .insertInto('flowRun')
    .values({
      triggerKind: 'manual',
      status: 'waiting',
      createdAt: nowOf(world),
      ...more,
      id,
      companyId,
      channelId,
      flowId,
      flowVersionId: versionId,
    })
    .execute()
  return id
}

/** Sets where a run is, without taking a step: for states that a crash leaves and no request reaches. */
export async function putRun(
  world: Recorded,
  runId: string,
  state: Partial<
    Pick<
      RunRecord,
      | 'status'
      | 'stepId'
      | 'steps'
      | 'wakeAt'
      | 'waitKind'
      | 'waitUntil'
      | 'hasSent'
      | 'faults'
      | 'variables'
      | 'cancelDetail'
      | 'callsInGo'
      | 'callsInGoMs'
      | 'endedAt'
      | 'createdAt'
    >
  >,
): Promise<void> {
  await storeOf(world).updateTable('flowRun').set(state).where('id', '=', runId).execute()
}

/** Adds a step that a run has begun, as a crash in the middle of it leaves it. */
export async function addRunStep(
  world: Recorded,
  { runId, companyId }: { runId: string; companyId: string },
  step: FieldsOf<'flowRunStep'> & { stepId: string; kind: string },
): Promise<void> {
  await storeOf(world)
    .insertInto('flowRunStep')
    .values({ number: 1, status: 'started', startedAt: nowOf(world), ...step, runId, companyId })
    .execute()
}
