/** Scans of the database for a page of the API: it plans the statements that the page asked. */
import type { Database } from '../../src/infra/database/connect.ts'
import { watchStatements, type Statement } from './statements.ts'

/** A scan of a table within a plan, with its results. */
export type Scan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Scan[]
}

/** Listens to all statements of this process, until it is stopped. Call it before the connections are made. */
export function watchScans() {
  let asked: Statement[] = []
  const stop = watchStatements((statement) => {
    asked.push(statement)
  })
  return {
    /**
     * Returns every scan of a table by the statements that were asked meanwhile.
     * @throws Error when none was asked.
     */
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
          [...values],
        )
        scans.push(...nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan))
      }
      return scans.filter((node) => node['Relation Name'] === table)
    },
    stop,
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
