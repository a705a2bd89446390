/** Flows and their versions. */
import type { Company, FieldsOf, Recorded, WithPool } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readOne, update } from './records.ts'

type Its = { flowId: string }

const putFlow = (world: Recorded, { flowId }: Its, values: FieldsOf<'flow'>) =>
  update(world, 'flow', { id: flowId }, values)

/** Returns the flows of a company, in the order in which they were made. */
export const flowsOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'flow', { companyId }, 'createdAt', 'id')

/** Adds flows of a company without drafts. */
export function addEmptyFlows(world: Recorded, { companyId }: Company, count: number) {
  const like = { companyId, createdAt: nowOf(world), updatedAt: nowOf(world) }
  const rows = Array.from({ length: count }, (_, n) => ({
    ...like,
    id: newIdOf(world),
    name: `Flow ${n}`,
  }))
  return insert(world, 'flow', ...rows)
}

export const switchFlow = (world: Recorded, flow: Its, isOn: boolean) =>
  putFlow(world, flow, { isOn })

export const unpublishFlow = (world: Recorded, flow: Its) =>
  putFlow(world, flow, { publishedVersionId: null })

/** Returns whether a flow that was deleted has runs that are still to be ended. */
export const hasRunsToEnd = async (world: Recorded, { flowId }: Its): Promise<boolean> =>
  (await readOne(world, 'flow', { id: flowId })).hasRunsToEnd

/** Returns the design that a version of a flow has. */
export async function definitionOf<Definition = Record<string, unknown>>(
  world: Recorded,
  { versionId }: { versionId: string },
): Promise<Definition> {
  const { definition } = await readOne(world, 'flowVersion', { id: versionId })
  return JSON.parse(definition) as Definition
}

/**
 * Makes the design of a flow's versions unreadable, which no version's own rules would let happen. Returns a
 * function that puts them back.
 */
export async function breakDesign(world: WithPool, { flowId }: Its): Promise<() => Promise<void>> {
  const versions = await read(world, 'flowVersion', { flowId }, 'id')
  // The trigger that protects a published version is disabled.
  const write = async (id: string, definition: string) => {
    const client = await world.service.context.db.pool.connect()
    await client.query(`set session_replication_role = 'replica'`)
    await client.query('update flow_version set definition = $1 where id = $2', [definition, id])
    await client.query(`set session_replication_role = 'origin'`)
    client.release()
  }
  for (const { id } of versions) await write(id, '{}')
  return async () => {
    for (const { id, definition } of versions) await write(id, definition)
  }
}

/** Adds a version to a flow, and publishes it unless it is a draft. Returns its id. */
export async function addFlowVersion(
  world: Recorded,
  { companyId, flowId }: Its & Company,
  {
    definition,
    isDraft = false,
    ...more
  }: { definition: object; isDraft?: boolean } & Omit<FieldsOf<'flowVersion'>, 'definition'>,
): Promise<string> {
  const now = nowOf(world)
  const id = await add(world, 'flowVersion', {
    number: 2,
    triggerKind: 'manual',
    createdAt: now,
    ...(!isDraft && { publishedAt: now }),
    ...more,
    companyId,
    flowId,
    definition: JSON.stringify(definition),
  })
  if (isDraft) return id
  const firstPublishedAt = more.publishedAt ?? now
  await putFlow(world, { flowId }, { publishedVersionId: id, firstPublishedAt })
  return id
}

/** Adds a flow to a company, with a published version when a design is given. Returns both ids. */
export async function addFlowTo(
  world: Recorded,
  { companyId, channelId }: Company & { channelId?: string },
  { definition, ...more }: { definition?: object } & FieldsOf<'flow'> = {},
): Promise<{ flowId: string; versionId: string | null }> {
  const now = nowOf(world)
  const flow = { name: 'Another', createdAt: now, updatedAt: now, ...more, companyId }
  const flowId = await add(world, 'flow', flow)
  if (!definition) return { flowId, versionId: null }
  const version = { definition, number: 1, ...(channelId && { channelId }) }
  return { flowId, versionId: await addFlowVersion(world, { companyId, flowId }, version) }
}

/** Sets what is stored of a version. The database refuses it where the version was published. */
export const putFlowVersion = (
  world: Recorded,
  { versionId }: { versionId: string },
  values: FieldsOf<'flowVersion'>,
) => update(world, 'flowVersion', { id: versionId }, values)

/** Adds flows to a company, each with a draft of this design. */
export async function addDrafts(
  world: Recorded,
  { companyId }: Company,
  { count, definition }: { count: number; definition: object },
): Promise<void> {
  const now = nowOf(world)
  const ids = Array.from({ length: count }, () => newIdOf(world))
  const made = { companyId, createdAt: now }
  const flows = ids.map((id) => ({ ...made, id, name: 'One of many', updatedAt: now }))
  await insert(world, 'flow', ...flows)
  const version = { number: 1, triggerKind: 'manual', definition: JSON.stringify(definition) }
  const drafts = ids.map((flowId) => ({ ...made, ...version, flowId, id: newIdOf(world) }))
  await insert(world, 'flowVersion', ...drafts)
}
