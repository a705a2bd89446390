/**
 * Writes `index-use/needs.json`: for each index that is not unique, a statement of the service that PostgreSQL executes
 * by it, or the foreign key whose rows it finds. An index without either costs writes and serves nothing: drop it. The
 * statements are those that the tests execute, so a new statement needs a test.
 *
 *   STATEMENTS=/tmp/statements npm test && node scripts/index-use.ts /tmp/statements
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readIndexUse, type IndexUse } from './index-use/read-use.ts'
import { withMigratedDatabase } from './migrated-database.ts'

const FILE = path.join(import.meta.dirname, 'index-use/needs.json')

/** The reason for each index: a statement or the name of a foreign key, by the name of the index. */
type Needs = {
  statements: Record<string, string>
  /** Names of foreign keys. */
  references: Record<string, string>
}

export const readNeeds = () => JSON.parse(readFileSync(FILE, 'utf8')) as Needs

/** Returns what is wrong with the list: indexes that nothing needs, and reasons that no longer apply. */
export async function compareNeeds(use: IndexUse, needs: Needs): Promise<string[]> {
  const { statements, references } = needs
  const wrong: string[] = []
  for (const name of use.plain) {
    const reference = use.references.find((one) => one.name === references[name])
    const text = statements[name] ?? reference?.text
    if (text === undefined) wrong.push(`${name}: no statement needs it`)
    else if (!(await use.indexesOf(text)).includes(name) && !(await use.isNextBest(name, text))) {
      wrong.push(`${name}: it is not used for ${text}`)
    }
  }
  const gone = Object.keys({ ...statements, ...references }).filter(
    (name) => !use.plain.includes(name),
  )
  return [...wrong, ...gone.map((name) => `${name}: there is no such index`)]
}

/** Returns the shortest statement for each index, and the foreign key for one that no statement uses. */
async function findNeeds(use: IndexUse, texts: readonly string[]): Promise<Needs> {
  const needs: Needs = { statements: {}, references: {} }
  const shortestFirst = texts.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  for (const text of shortestFirst) {
    for (const name of await use.indexesOf(text)) {
      if (use.plain.includes(name)) needs.statements[name] ??= inOneLine(text)
    }
  }
  for (const name of use.plain) {
    for (const text of shortestFirst) {
      if (needs.statements[name]) break
      if (await use.isNextBest(name, text)) needs.statements[name] = inOneLine(text)
    }
  }
  const deleted = findDeleted(use, texts)
  for (const { name, target, text } of use.references) {
    if (!deleted.has(target)) continue
    for (const index of await use.indexesOf(text)) {
      if (use.plain.includes(index) && !needs.statements[index]) needs.references[index] ??= name
    }
  }
  return { statements: sorted(needs.statements), references: sorted(needs.references) }
}

const inOneLine = (text: string) => text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()

/** Returns the tables of which rows are deleted, by a statement or with a row that they refer to. */
function findDeleted({ references }: IndexUse, texts: readonly string[]): Set<string> {
  const deleted = new Set(
    texts.flatMap((text) => [...text.matchAll(/delete from "?(\w+)/g)].map(([, name]) => name!)),
  )
  for (let before = -1; before !== deleted.size;) {
    before = deleted.size
    for (const { table, target, isCascade } of references) {
      if (isCascade && deleted.has(target)) deleted.add(table)
    }
  }
  return deleted
}

const sorted = (record: Record<string, string>) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

if (import.meta.main) {
  const folder = process.argv[2]
  if (!folder) throw new Error('Name the folder that the tests have written, by STATEMENTS.')
  const texts = globSync(path.join(folder, '*.jsonl')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as string])),
  )
  const needs = await withMigratedDatabase(async ({ pool }) => {
    const client = await pool.connect()
    try {
      const use = await readIndexUse(client)
      const found = await findNeeds(use, [...new Set(texts)])
      for (const line of await compareNeeds(use, found)) console.log(line)
      return found
    } finally {
      client.release()
    }
  })
  writeFileSync(FILE, `${JSON.stringify(needs, null, 2)}\n`)
}
