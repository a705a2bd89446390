/** Flows and their versions. */
import { nowOf, newIdOf, storeOf, type FieldsOf, type Recorded } from './records.ts'

type Its = { flowId: string }

/** Switches a flow on or off. */
export async function switchFlow(world: Recorded, { flowId }: Its, isOn: boolean): Promise<void> {
  await storeOf(world).updateTable('flow').set({ isOn }).where('id', '=', flowId).execute()
}

/** Leaves a flow without a published version. */
export async function unpublishFlow(world: Recorded, { flowId }: Its): Promise<void> {
  await storeOf(world)
    .updateTable('flow')
    .set({ publishedVersionId: null })
    .where('id', '=', flowId)
    .execute()
}

/** Returns the design that a version of a flow has. */
export async function definitionOf<Definition = Record<string, unknown>>(
  world: Recorded,
  { versionId }: { versionId: string },
): Promise<Definition> {
  const { definition } = await storeOf(world)
    .selectFrom('flowVersion')
    .select('definition')
    .where('id', '=', versionId)
    .executeTakeFirstOrThrow()
  return JSON.parse(definition) as Definition
}

/** Adds a version to a flow, and publishes it unless it is a draft. Returns its id. */
export async function addFlowVersion(
  world: Recorded,
  { companyId, flowId }: Its & { companyId: string },
  {
    definition,
    isDraft = false,
    ...more
  }: { definition: object; isDraft?: boolean } & Omit<FieldsOf<'flowVersion'>, 'definition'>,
): Promise<string> {
  const id = more.id ?? newIdOf(world)
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('flowVersion')
    .values({
      number: 2,
      triggerKind: 'manual',
      createdAt: now,
      ...(!isDraft && { publishedAt: now }),
      ...more,
      id,
      companyId,
      flowId,
      definition: JSON.stringify(definition),
    })
    .execute()
  if (isDraft) return id
  await storeOf(world)
    .updateTable('flow')
    .set({ publishedVersionId: id, firstPublishedAt: more.publishedAt ?? now })
    .where('id', '=', flowId)
    .execute()
  return id
}

/** Adds a flow to a company, with a published version when a design is given. Returns both ids. */
export async function addFlowTo(
  world: Recorded,
  { companyId, channelId }: { companyId: string; channelId?: string },
  { definition, ...more }: { definition?: object } & FieldsOf<'flow'> = {},
): Promise<{ flowId: string; versionId: string | null }> {
  const flowId = more.id ?? newIdOf(world)
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('flow')
    .values({ name: 'Another', createdAt: now, updatedAt: now, ...more, id: flowId, companyId })
    .execute()
  if (!definition) return { flowId, versionId: null }
  const own = { companyId, flowId }
  const versionId = await addFlowVersion(world, own, {
    definition,
    number: 1,
    ...(channelId && { channelId }),
  })
  return { flowId, versionId }
}
