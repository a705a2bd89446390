/** The tree as rows of a list: a chain stays at one level, and each branch is one level deeper. */
import type { FlowTree, TreeNode } from '../draft/tree.ts'

/** A row of the outline. Its level counts from 1. */
export type OutlineRow = {
  node: TreeNode
  level: number
  /** The branch that begins at this row: the step it comes from and its exit. */
  branch: { stepId: string; exit: string } | null
  /** The row of the previous step. */
  parent: string | null
  isLoose: boolean
}

/** Returns the nodes of a flow's tree as rows of an indented list, from top to bottom. */
export function outlineRowsOf({ start, loose }: FlowTree): OutlineRow[] {
  const rows: OutlineRow[] = []
  const visit = (
    node: TreeNode,
    level: number,
    branch: OutlineRow['branch'],
    parent: string | null,
    isLoose: boolean,
  ) => {
    rows.push({ node, level, branch, parent, isLoose })
    if (node.kind !== 'step') return
    const isOne = node.branches.length === 1
    for (const { exit, node: next } of node.branches) {
      visit(
        next,
        isOne ? level : level + 1,
        isOne ? null : { stepId: node.stepId, exit },
        node.key,
        isLoose,
      )
    }
  }
  visit(start, 1, null, TRIGGER_KEY, false)
  for (const node of loose) visit(node, 1, null, null, true)
  return rows
}

/** The key of the trigger's row, which the URL uses too. */
export const TRIGGER_KEY = 'trigger'
