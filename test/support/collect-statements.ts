/**
 * Notes each statement of the service that the tests execute, once, in a file of the worker: in the folder that
 * `STATEMENTS` names, or nowhere. `scripts/index-use.ts` reads them.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { watchStatements } from './statements.ts'

const folder = process.env['STATEMENTS']
const worker = globalThis as { waslaStatements?: Set<string> }

if (folder && !worker.waslaStatements) {
  const seen = (worker.waslaStatements = new Set())
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${process.pid}.jsonl`)
  watchStatements(({ text }, client) => {
    // Connections of a test's own are named after its database, or not at all.
    const { application_name: owner } = (
      client as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters
    if (!owner?.startsWith('wasla') || owner.startsWith('wasla_test_') || seen.has(text)) return
    seen.add(text)
    appendFileSync(file, `${JSON.stringify(text)}\n`)
  })
}
