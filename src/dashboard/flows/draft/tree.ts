/**
 * A flow as a tree. The steps form a graph, in which paths may join and loop. Each step is drawn where it is first
 * reached; other exits that lead to it end in a reference.
 */
import { exitsOf, isEnd } from '../steps/kinds.ts'
import { START, stepAt, type Draft, type Place } from '../draft.ts'

/** A node of the tree: a step with its branches, an end, or a reference. The key is unique in the tree. */
export type TreeNode = { key: string; place: Place } & (
  | { kind: 'step'; stepId: string; branches: Branch[]; isEnd: boolean }
  /** The end of the run. */
  | { kind: 'end' }
  /** A reference to a step that is drawn elsewhere, or does not exist. */
  | { kind: 'jump'; to: string; isMissing: boolean }
)
/** An exit of a step with the node that it leads to. */
export type Branch = { exit: string; node: TreeNode }

/** A flow as a tree for drawing. */
export type FlowTree = {
  start: TreeNode
  /** The trees of the steps that `start` does not reach. */
  loose: TreeNode[]
}

/**
 * Converts a draft to a tree for drawing, plus trees of the steps that its start does not reach. In the draft's order,
 * each of these that is not drawn yet begins a tree, even if another one leads to it.
 */
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
  // All ends are equal, so each exit gets a separate one.
  if (step && isEnd(step) && drawn.has(id)) return { ...here, kind: 'end' }
  if (!step || drawn.has(id)) return { ...here, kind: 'jump', to: id, isMissing: !step }
  drawn.add(id)
  const branches = exitsOf(step).map(({ exit, to }) => ({
    exit,
    node: grow(draft, to, { stepId: id, exit }, drawn),
  }))
  return { key: id, place, kind: 'step', stepId: id, branches, isEnd: isEnd(step) }
}

function keyOf({ stepId, exit }: Place): string {
  return `${stepId ?? ''}>${exit}`
}
