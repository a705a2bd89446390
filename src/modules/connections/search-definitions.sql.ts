import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** The bytes that one statement may compare: those of its definitions, once for each text. */
const BYTES_PER_STATEMENT = 32 * 1_048_576

/** The published version or the draft of a flow, with the given texts that its definition contains. */
export type FoundVersion = {
  flowId: string
  name: string
  versionId: string
  isDraft: boolean
  texts: string[]
}
type Version = Omit<FoundVersion, 'texts'> & { bytes: number }

/**
 * Returns the published versions and drafts, of all flows of a company, whose definition contains one of the texts,
 * oldest flow first. A definition is JSON text of up to a megabyte, so they are searched in several statements.
 */
export async function searchDefinitions(
  db: Kysely<DB>,
  { companyId, texts }: { companyId: string; texts: readonly string[] },
): Promise<FoundVersion[]> {
  if (texts.length === 0) return []
  const found: FoundVersion[] = []
  for (const batch of inBatches(await listVersions(db, companyId), texts.length)) {
    const { rows } = await sql<Pick<FoundVersion, 'versionId' | 'texts'>>`
      select version.id as version_id, array(
        select wanted.text from unnest(${texts}::text[]) as wanted (text)
        where strpos(version.definition, wanted.text) > 0) as texts
      from (
        -- The concatenation loads a stored definition once, not again for each text.
        select id, definition || '' as definition from flow_version
        where company_id = ${companyId} and id = any(${batch.map(({ versionId }) => versionId)}::uuid[])
        offset 0
      ) version`.execute(db)
    const textsOf = new Map(rows.map((row) => [row.versionId, row.texts]))
    for (const { bytes: _, ...version } of batch) {
      const contained = textsOf.get(version.versionId) ?? []
      if (contained.length > 0) found.push({ ...version, texts: contained })
    }
  }
  return found
}

/** Lists the published version and the draft of each flow, without reading their definitions. */
async function listVersions(db: Kysely<DB>, companyId: string): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select flow.id as flow_id, flow.name, version.id as version_id,
      version.published_at is null as is_draft, octet_length(version.definition) as bytes
    from flow
    cross join lateral (
      select id, definition, published_at from flow_version where id = flow.published_version_id
      union all
      (select id, definition, published_at from (
        select id, definition, published_at from flow_version where flow_id = flow.id
        order by number desc limit 1
      ) last where published_at is null)
    ) version
    where flow.company_id = ${companyId} and flow.deleted_at is null
    order by flow.id, is_draft`.execute(db)
  return rows
}

/** Splits versions into batches for one statement each: one version, or as many as have few bytes. */
function inBatches(versions: readonly Version[], texts: number): Version[][] {
  const batches: Version[][] = []
  let left = 0
  for (const version of versions) {
    const compared = version.bytes * texts
    if (compared > left) {
      batches.push([])
      left = BYTES_PER_STATEMENT
    }
    batches.at(-1)!.push(version)
    left -= compared
  }
  return batches
}
