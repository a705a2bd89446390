/**
 * A flow as a tree. Steps are a graph: ways may join, and lead back. Each step is drawn where it is met first;
 * wherever else a way leads to it, a line says so.
 */
import { exitsOf } from '../steps/kinds.ts'
import { START, stepAt, type Draft, type Place } from './draft.ts'

export type TreeNode = { key: string; place: Place } & (
  | { kind: 'step'; stepId: string; branches: Branch[] }
  /** The run ends. */
  | { kind: 'end' }
  /** On to a step that is drawn elsewhere, or is not there at all. */
  | { kind: 'jump'; to: string; isMissing: boolean }
)
export type Branch = { exit: string; node: TreeNode }

export type FlowTree = {
  start: TreeNode
  /** Steps that no way leads to, each with what follows it. */
  loose: TreeNode[]
}

export function treeOf(draft: Draft): FlowTree {
  const drawn = new Set<string>()
  const start = grow(draft, draft.start, START, drawn)
  const loose: TreeNode[] = []
  for (const id of Object.keys(draft.steps)) {
    if (!drawn.has(id)) loose.push(grow(draft, id, { stepId: null, exit: `loose:${id}` }, drawn))
  }
  return { start, loose }
}

function grow(draft: Draft, id: string | null, place: Place, drawn: Set<string>): TreeNode {
  const here = { key: keyOf(place), place }
  if (id === null) return { ...here, kind: 'end' }
  const step = stepAt(draft, id)
  if (!step || drawn.has(id)) return { ...here, kind: 'jump', to: id, isMissing: !step }
  drawn.add(id)
  const branches = exitsOf(step).map(({ exit, to }) => ({
    exit,
    node: grow(draft, to, { stepId: id, exit }, drawn),
  }))
  return { key: id, place, kind: 'step', stepId: id, branches }
}

export function keyOf({ stepId, exit }: Place): string {
  return `${stepId ?? ''}>${exit}`
}

/** Every node, a step before what follows it. */
export function nodesOf({ start, loose }: FlowTree): TreeNode[] {
  const found: TreeNode[] = []
  const visit = (node: TreeNode) => {
    found.push(node)
    if (node.kind === 'step') for (const branch of node.branches) visit(branch.node)
  }
  for (const root of [start, ...loose]) visit(root)
  return found
}
