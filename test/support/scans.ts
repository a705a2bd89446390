/** What the database looks at for a page of the API: of the statements that were asked, as it plans them. */
import pg from 'pg'
import type { Database } from '../../src/infra/database/connect.ts'

type Asked = { text: string; values: unknown[] }

/** A scan of a table within a plan, with what came of it. */
export type Scan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Scan[]
}

/** Listens to all statements of this process, until it is stopped; made before the connections are. */
export function watchScans() {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  let asked: Asked[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [Partial<Asked> | string]
    if (typeof statement === 'object' && statement.text !== undefined && statement.values) {
      asked.push({ text: statement.text, values: [...statement.values] })
    }
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  return {
    /** Every scan of a table that the statements take which are asked meanwhile. Throws where none is asked. */
    async of(db: Database, table: string, ask: () => Promise<unknown>): Promise<Scan[]> {
      asked = []
      await ask()
      const statements = asked.filter(({ text }) =>
        new RegExp(`(from|join) "?${table}\\b`).test(text),
      )
      if (statements.length === 0) throw new Error(`nothing was asked of ${table}`)
      const scans: Scan[] = []
      for (const { text, values } of statements) {
        const { rows } = await db.pool.query<{ 'QUERY PLAN': { Plan: Scan }[] }>(
          `explain (analyze, format json) ${text}`,
          values,
        )
        scans.push(...nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan))
      }
      return scans.filter((node) => node['Relation Name'] === table)
    },
    stop() {
      pg.Client.prototype.query = query as typeof pg.Client.prototype.query
    },
  }
}

function nodesOf(node: Scan): Scan[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

export function rowsLookedAt(scans: readonly Scan[]): number {
  return scans.reduce(
    (sum, node) =>
      sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )
}
