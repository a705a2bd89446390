/**
 * A rule for the linter: a test uses the API, the view functions or test/support/records, and no table. The allowance
 * excepts older statements; scripts/table-allowance.ts lowers it, and a test in test/suite checks it.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const ALLOWANCE = JSON.parse(
  readFileSync(new URL('./table-allowance.json', import.meta.url), 'utf8'),
)

const STATEMENTS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])
/** Names of objects that receive a statement as text. */
const CONNECTION = /(?:pool|client|connection|holder|gate)s?$/i

function lastName(node) {
  if (node?.type === 'Identifier') return node.name
  if (node?.type === 'CallExpression') return lastName(node.callee)
  if (node?.type === 'MemberExpression' && !node.computed) return node.property.name
  return ''
}
const isText = (node) =>
  node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node.value === 'string')

/** Returns whether a node of a syntax tree is a statement that names tables. */
export function isTableStatement(node) {
  if (node.type === 'TaggedTemplateExpression') return lastName(node.tag) === 'sql'
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const called = lastName(node.callee)
  if (STATEMENTS.has(called)) return true
  if (called !== 'query') return false
  return isText(node.arguments[0]) || CONNECTION.test(lastName(node.callee.object))
}

export const noTablesInTests = {
  create(context) {
    const file = path.relative(ROOT, context.filename).replaceAll('\\', '/')
    const found = []
    const look = (node) => {
      if (isTableStatement(node)) found.push(node)
    }
    return {
      TaggedTemplateExpression: look,
      CallExpression: look,
      'Program:exit'() {
        const allowed = ALLOWANCE[file] ?? 0
        if (found.length <= allowed) return
        const message =
          `A test names no tables (${found.length} statements, ${allowed} allowed): ask the API, ` +
          'or a function of test/support/records.'
        for (const node of found) context.report({ node, message })
      },
    }
  },
}
