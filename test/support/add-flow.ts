/** One more flow of a shop, with a hook URL of its own. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'

/**
 * Copies the shop's published flow into another one of the same company, on the same channel or
 * another. Returns what differs from the shop.
 */
export async function addFlow(
  world: Pick<World, 'service' | 'url'>,
  shop: Shop,
  channelId = shop.channelId,
): Promise<{ flowId: string; hookUrl: string }> {
  const { db, ids } = world.service.context
  const [flowId, versionId, hookToken] = [ids.uuid(), ids.uuid(), `hook_${ids.token(32)}`]
  await sql`
    with made as (
      insert into flow (id, company_id, name, first_published_at, created_at, updated_at)
      select ${flowId}, company_id, 'Another flow', first_published_at, created_at, updated_at
      from flow where id = ${shop.flowId}
    ), version as (
      insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind, channel_id,
        published_at, created_at)
      select ${versionId}, company_id, ${flowId}, 1, replace(definition, ${shop.channelId}, ${channelId}),
        trigger_kind, ${channelId}, published_at, created_at
      from flow_version where id = ${shop.versionId}
    )
    insert into hook_url (id, company_id, flow_id, token_hash, token_last_four, created_at)
    select ${ids.uuid()}, company_id, ${flowId}, ${createHash('sha256').update(hookToken).digest()},
      ${hookToken.slice(-4)}, created_at
    from flow where id = ${shop.flowId}
  `.execute(db.kysely)
  await db.kysely
    .updateTable('flow')
    .set({ publishedVersionId: versionId })
    .where('id', '=', flowId)
    .execute()
  return { flowId, hookUrl: `${world.url}/hooks/${hookToken}` }
}
