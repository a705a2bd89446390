/**
 * Finds the statements of a source file that read or change rows with a company or an account, and have no condition
 * on either. Such a statement may span accounts. A statement is a template of `sql`, a text given to `query`, or a
 * chain of the query builder. Only its own text is read, so a condition in an inserted part is not found.
 */
import { parseSync } from 'oxc-parser'

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** The tables with a company or an account, by their names in SQL and in the query builder. */
export type OwnedTables = ReadonlySet<string>

/** A statement that may span accounts: the declaration that it is in, its line, and a table without a condition. */
export type Spanning = { name: string; line: number; table: string }

/** Returns the tables whose generated type has `companyId` or `accountId`. */
export function readOwnedTables(tables: string): OwnedTables {
  const names = new Map(
    [...tables.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, name = '', type = '']) => [type, name]),
  )
  const owned = new Set<string>()
  for (const [, type = '', body = ''] of tables.matchAll(
    /^export interface (\w+) \{\n([\s\S]*?)^\}/gm,
  )) {
    const name = names.get(type)
    if (!name || !/^ {2}(?:companyId|accountId): /m.test(body)) continue
    owned.add(name)
    owned.add(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  }
  return owned
}

/** Returns the statements of a file that may span accounts, in their order. */
export function findSpanning(file: string, source: string, owned: OwnedTables): Spanning[] {
  const program = parseSync(file, source).program as unknown as Node & { body: Node[] }
  const declarations = findDeclarations(program.body)
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const found = new Map<number, string>()
  const add = (node: Node, table: string | null) => {
    if (table !== null && !found.has(node.start)) found.set(node.start, table)
  }
  walk(program, [], (node, parents) => {
    if (node.type === 'TaggedTemplateExpression' && lastName(node['tag']) === 'sql') {
      add(node, tableOfText(textOf(node), owned))
    }
    if (node.type !== 'CallExpression') return
    const called = lastName(node['callee'])
    const [first] = node['arguments'] as Node[]
    if (called === 'query' && first && first.type.endsWith('Literal')) {
      add(node, tableOfText(textOf(first), owned))
    } else if (STARTS.has(called)) {
      add(node, tableOfChain(textOf(outermost(node, parents)), owned))
    }
  })
  return [...found]
    .toSorted(([one], [other]) => one - other)
    .map(([at, table]) => ({
      name: declarations.find(({ start, end }) => start <= at && at < end)?.name ?? 'top',
      line: source.slice(0, at).split('\n').length,
      table,
    }))
}

/** The functions that begin a chain of the query builder. An insert names its owner among its values. */
const STARTS = new Set(['selectFrom', 'updateTable', 'deleteFrom'])

function walk(
  node: Node,
  parents: readonly Node[],
  look: (node: Node, parents: readonly Node[]) => void,
): void {
  look(node, parents)
  const around = [...parents, node]
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) {
      if (child && typeof child === 'object' && 'type' in child) walk(child as Node, around, look)
    }
  }
}

/** Returns the whole chain of calls that begins with a node. */
function outermost(node: Node, parents: readonly Node[]): Node {
  let chain = node
  for (const parent of parents.toReversed()) {
    if (parent['object'] !== chain && parent['callee'] !== chain) break
    chain = parent
  }
  return chain
}

function lastName(node: unknown): string {
  const { type, name, callee, property } = (node ?? {}) as Record<string, unknown>
  if (type === 'Identifier') return name as string
  if (type === 'CallExpression') return lastName(callee)
  return type === 'MemberExpression' ? lastName(property) : ''
}

/** Returns the names and places of what a file declares at its top. */
function findDeclarations(body: readonly Node[]): { name: string; start: number; end: number }[] {
  return body.flatMap((node) => {
    const declared = (node['declaration'] ?? node) as {
      id?: { name: string } | null
      declarations?: { id: { name?: string } }[]
    }
    const name = declared.id?.name ?? declared.declarations?.[0]?.id.name
    return name ? [{ name, start: node.start, end: node.end }] : []
  })
}

/** Comparisons of an owner with a value: `company_id = ${…}`, `(company_id, …) in (…)` and `${…} = company_id`. */
const CONDITIONS = [
  /\b(?:company_id|account_id|company\.id|account\.id)\)?\s*(?:=|in\b|<>\s*all|is not distinct from)\s*(?:any\s*)?\(*\s*(?:'?\$\{|\$\d|given\.)/,
  /\([^()]*\b(?:company_id|account_id)\b[^()]*\)\s*(?:in|=)\s*\(/,
  /\}(?:::uuid)?\s*=\s*(?:\w+\.)?(?:company_id|account_id)\b/,
]
const TABLE = /\b(?:from|join|update|using)\s+(?:only\s+)?("?\w+"?|\$\{)/gi
const TEMPORARY = /(\w+)(?:\s*\([^()]*\))?\s+as\s+(?:materialized\s+|not\s+materialized\s+)?\(/g

/** Returns a table of a text in SQL; null when the text has a condition, or no table with an owner. */
function tableOfText(text: string, owned: OwnedTables): string | null {
  if (CONDITIONS.some((condition) => condition.test(text))) return null
  const temporary = new Set([...text.matchAll(TEMPORARY)].map(([, name]) => name))
  for (const [, name = ''] of text.matchAll(TABLE)) {
    const table = name.replaceAll('"', '')
    if (table === '${') return 'a table that is inserted'
    if (owned.has(table) && !temporary.has(table)) return table
  }
  return null
}

const CHAIN_CONDITION =
  /'(?:\w+\.)?(?:companyId|accountId)',\s*'(?:=|in|is not distinct from)'|'company\.id',\s*'(?:=|in)'/
const CHAIN_TABLE =
  /(?:selectFrom|updateTable|deleteFrom|innerJoin|leftJoin|from|using)\(\s*'(\w+)/g

/** Returns a table of a chain of the query builder, as `tableOfText` does. A company's own id is a condition too. */
function tableOfChain(text: string, owned: OwnedTables): string | null {
  if (CHAIN_CONDITION.test(text) || CONDITIONS.some((condition) => condition.test(text)))
    return null
  const isOfOneCompany = /\(\s*'company'\s*\)/.test(text) && /'id',\s*'(?:=|in)'/.test(text)
  if (isOfOneCompany) return null
  const tables = [...text.matchAll(CHAIN_TABLE)].map(([, table = '']) => table)
  return tables.find((table) => owned.has(table)) ?? null
}
