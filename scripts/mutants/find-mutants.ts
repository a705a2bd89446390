/** The mutants of a source file: small changes that a test should notice. The same text always gives the same list. */
import { findSqlMutants } from './find-sql-mutants.ts'
import { isNode, lineAt, walk, type Node, type Source } from './walk.ts'

/** A change of a source file: the text from `start` to `end` is replaced by `to`. */
export type Mutant = { file: string; line: number; start: number; end: number; to: string }

/** Returns the name of a mutant: `file:line` and the change in one line. */
export function nameMutant(mutant: Mutant, text: string): string {
  const short = (part: string) => {
    const line = part.replaceAll(/\s+/g, ' ').trim()
    return line.length > 70 ? `${line.slice(0, 67)}...` : line
  }
  const to = mutant.to === '' ? '(nothing)' : short(mutant.to)
  return `${mutant.file}:${mutant.line}  ${short(text.slice(mutant.start, mutant.end))}  ->  ${to}`
}

const OTHER_OPERATOR: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}

/** Calls that are removed from a chain, which otherwise stays the same. */
const LINKS = new Set(
  'where whereRef having orderBy limit forUpdate skipLocked distinct trim toLowerCase toUpperCase slice sort filter normalize toWellFormed padStart'.split(
    ' ',
  ),
)

/** Functions whose strings are names of columns and tables. A wrong name is always an error, so it is no mutant. */
const NAMES_COLUMNS =
  /^(select|selectFrom|selectAll|insertInto|updateTable|deleteFrom|set|values|innerJoin|leftJoin|onRef|on|orderBy|groupBy|returning|ref|column|columns|whereRef|as|table|doUpdateSet|selectNoFrom|prepare)$/

const OTHER_COMPARISON: Record<string, string> = {
  "'='": "'<>'",
  "'<'": "'<='",
  "'<='": "'<'",
  "'>'": "'>='",
  "'>='": "'>'",
  "'is'": "'is not'",
  "'is not'": "'is'",
  "'in'": "'not in'",
}

/** Returns all mutants of a source, in the order of the text. */
export function findMutants(source: Source): Mutant[] {
  const { file, text } = source
  const found: Mutant[] = []
  const put = (start: number, end: number, to: string) => {
    if (text.slice(start, end) !== to) {
      found.push({ file, line: lineAt(text, start), start, end, to })
    }
  }
  walk(source.tree, (node, parents) => {
    const parent = parents.at(-1)
    if (parents.some(isImportOrLog)) return
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        breakOperator(node, text, put)
        break
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node.test as Node
        put(test.start, test.end, 'true')
        put(test.start, test.end, 'false')
        break
      }
      case 'UnaryExpression':
        if (node.operator === '!' && parent?.type !== 'UnaryExpression') {
          put(node.start, node.end, text.slice((node.argument as Node).start, node.end))
        }
        break
      case 'ExpressionStatement':
        if (node.directive === undefined) put(node.start, node.end, ';')
        break
      case 'ContinueStatement':
      case 'BreakStatement':
        if (parent?.type !== 'SwitchCase') put(node.start, node.end, ';')
        break
      case 'Literal':
        breakLiteral(node, parents, put)
        break
      case 'ArrayExpression':
        leaveOutElements(node, text, put)
        break
      case 'CallExpression':
        leaveOutLink(node, put)
        break
      case 'TemplateLiteral':
        if (isStatement(text.slice(node.start, node.end), parent, text)) {
          for (const { start, end, to } of findSqlMutants(text, node)) put(start, end, to)
        }
        break
    }
  })
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end || (a.to < b.to ? -1 : 1))
}

type Put = (start: number, end: number, to: string) => void

const isStatement = (template: string, parent: Node | undefined, text: string) =>
  parent?.type === 'TaggedTemplateExpression'
    ? /^sql\b/.test(text.slice(parent.start, parent.end))
    : /^`\s*(select|with|insert|update|delete)\s/.test(template)

function isImportOrLog(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true
  if (node.type === 'ThrowStatement') return true
  const callee = node.type === 'CallExpression' ? (node.callee as Node) : null
  const object = callee?.type === 'MemberExpression' ? (callee.object as Node) : null
  return object !== null && (object.name === 'log' || isNamed(object, 'log'))
}

const isNamed = (node: Node, name: string) =>
  node.type === 'MemberExpression' && (node.property as Node).name === name

function breakOperator(node: Node, text: string, put: Put): void {
  const [left, right] = [node.left as Node, node.right as Node]
  const operator = node.operator as string
  if (operator === '??') return put(left.end, right.end, '')
  const to = OTHER_OPERATOR[operator]
  const isText = [left, right].some((side) => /^['"`]/.test(text.slice(side.start, side.end)))
  if (to === undefined || (operator === '+' && isText)) return
  const at = text.indexOf(operator, left.end)
  put(at, at + operator.length, to)
}

function breakLiteral(node: Node, parents: readonly Node[], put: Put): void {
  const parent = parents.at(-1)
  if (parent?.type === 'Property' && parent.key === node) return
  if (parent?.type === 'MemberExpression' || parent?.type === 'ExpressionStatement') return
  const raw = node.raw as string
  if (typeof node.value === 'boolean') return put(node.start, node.end, String(!node.value))
  if (typeof node.value === 'number') return put(node.start, node.end, String(node.value + 1))
  if (isNode(node.regex) || raw.startsWith('/')) return breakPattern(node, raw, put)
  if (typeof node.value !== 'string' || /\s/.test(node.value) || node.value === '') return
  breakText(node, parents, put)
}

/** Replaces an operator of a condition by another one, and any other text by `other`. Names of columns stay. */
function breakText(node: Node, parents: readonly Node[], put: Put): void {
  const parent = parents.at(-1)
  const call = parents.findLast(({ type }) => type === 'CallExpression' || type === 'Property')
  const callee = call?.type === 'CallExpression' ? (call.callee as Node) : null
  const verb = callee?.type === 'MemberExpression' ? String((callee.property as Node).name) : ''
  if (verb === 'where' || verb === 'whereRef' || verb === 'on' || verb === 'eb') {
    const other = OTHER_COMPARISON[node.raw as string]
    if (other !== undefined) return put(node.start, node.end, other)
    if (call !== undefined && parent === call && (call.arguments as Node[])[0] === node) return
  }
  if (parent === call && NAMES_COLUMNS.test(verb)) return
  if (parent?.type === 'ArrayExpression' && NAMES_COLUMNS.test(verb)) return
  put(node.start, node.end, "'other'")
}

function breakPattern(node: Node, raw: string, put: Put): void {
  const end = raw.lastIndexOf('/')
  if (raw.startsWith('/^')) put(node.start + 1, node.start + 2, '')
  if (raw[end - 1] === '$') put(node.start + end - 1, node.start + end, '')
}

function leaveOutElements(node: Node, text: string, put: Put): void {
  const elements = (node.elements as (Node | null)[]).filter(isNode)
  if (elements.length < 2) return
  for (const [nth, element] of elements.entries()) {
    if (!['Literal', 'Identifier', 'MemberExpression', 'ArrayExpression'].includes(element.type)) {
      continue
    }
    const next = elements[nth + 1]
    if (next !== undefined) put(element.start, next.start, '')
    else put(element.start, text.lastIndexOf(']', node.end), '')
  }
}

function leaveOutLink(node: Node, put: Put): void {
  const callee = node.callee as Node
  if (callee.type !== 'MemberExpression' || callee.computed === true) return
  if (LINKS.has(String((callee.property as Node).name))) {
    put((callee.object as Node).end, node.end, '')
  }
}
