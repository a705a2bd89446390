/** Parses source files, and walks their syntax trees without the types. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** A node of a syntax tree, with its offsets in the text. */
export type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** A source file with its syntax tree. */
export type Source = { file: string; text: string; tree: Node }

/** TypeScript nodes that contain a value; other nodes of types are not visited. */
const AROUND_A_VALUE = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** Reads and parses a source file. */
export function readSource(root: string, file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  return { file, text, tree: program as unknown as Node }
}

/** Visits a node and its descendants in the order of the text; `parents` ends with the nearest one. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: Node[] = [],
): void {
  if (node.type.startsWith('TS') && !AROUND_A_VALUE.has(node.type)) return
  visit(node, parents)
  parents.push(node)
  for (const [key, inside] of Object.entries(node)) {
    if (AROUND_A_VALUE.has(node.type) && key !== 'expression') continue
    for (const child of Array.isArray(inside) ? inside : [inside]) {
      if (isNode(child)) walk(child, visit, parents)
    }
  }
  parents.pop()
}

/** Returns whether a value is a node of a syntax tree. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Returns the number of the line at an offset of a text. */
export const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length
