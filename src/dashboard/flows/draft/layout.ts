/**
 * The positions of the nodes of a tree. Children are in the order of the branches; in Arabic the first one is
 * rightmost.
 */
import type { FlowTree, TreeNode } from './tree.ts'

/** A box on the map, in pixels from the top of the map; `node` is null for the trigger. */
export type Box = { node: TreeNode | null; x: number; y: number; width: number; height: number }
/** A line from the bottom of one box to the top of another. */
export type Line = { node: TreeNode; from: Box; to: Box; exit: string; isOfMany: boolean }
/** The boxes and lines of a flow in reading order. */
export type Layout = { boxes: Box[]; lines: Line[] }

/** The sizes of boxes and the distances between them, in pixels. */
export const NODE = { width: 232, endWidth: 64, endHeight: 34, gap: 44, branchGap: 88, between: 32 }

/**
 * Computes the positions of a tree's boxes and lines on the map. `height` is that of a step: lines of Arabic are
 * taller.
 */
export function layOut({ start, loose }: FlowTree, height: number, direction: 1 | -1): Layout {
  const boxes: Box[] = []
  const lines: Line[] = []

  const sizeOf = (node: TreeNode) =>
    node.kind === 'step' && !node.isEnd
      ? { width: NODE.width, height }
      : node.kind === 'jump'
        ? { width: NODE.width - 40, height: NODE.endHeight }
        : { width: NODE.endWidth, height: NODE.endHeight }

  /** Places a node with its descendants. Returns its box and the end of their width. */
  const place = (node: TreeNode, from: number, y: number): { box: Box; end: number } => {
    const { width, height: own } = sizeOf(node)
    const room = NODE.width
    const branches = node.kind === 'step' ? node.branches : []
    const isOfMany = branches.length > 1
    const below = y + own + (isOfMany ? NODE.branchGap : NODE.gap)
    let at = from
    const children = branches.map((branch) => {
      const child = place(branch.node, at, below)
      at = child.end + NODE.between
      return { ...branch, box: child.box }
    })
    const end = Math.max(from + room, at - NODE.between)
    const first = children[0]?.box
    const last = children.at(-1)?.box
    const middle = first && last ? (centre(first) + centre(last)) / 2 : from + room / 2
    const box: Box = { node, x: Math.max(from, middle - width / 2), y, width, height: own }
    boxes.push(box)
    for (const { exit, node: to, box: child } of children) {
      lines.push({ node: to, from: box, to: child, exit, isOfMany })
    }
    return { box, end }
  }

  const first = place(start, 0, height + NODE.gap)
  const trigger: Box = {
    node: null,
    x: centre(first.box) - NODE.width / 2,
    y: 0,
    width: NODE.width,
    height,
  }
  boxes.push(trigger)
  lines.push({ node: start, from: trigger, to: first.box, exit: 'start', isOfMany: false })
  let at = first.end + 3 * NODE.between
  for (const root of loose) at = place(root, at, height + NODE.gap).end + NODE.between
  if (direction === -1) for (const box of boxes) box.x = -box.x - box.width
  // Compares boxes in reading order: from top to bottom, then along the line.
  const along = (one: Box, other: Box) => one.y - other.y || (one.x - other.x) * direction
  return {
    boxes: boxes.toSorted(along),
    lines: lines.toSorted((one, other) => along(one.to, other.to)),
  }
}

/** Returns the horizontal centre of a box. */
export function centre({ x, width }: Box): number {
  return x + width / 2
}
