/** Cycles of imports at every level: between files, between folders, and between files and folders of one folder. */
import type { Edge } from './list-sources.ts'

type Graph = Map<string, Map<string, Edge>>

/**
 * Returns a line for each folder whose contents import in a circle. Files count individually and folders as a whole,
 * so that a file next to a folder may compose it.
 */
export function findCycles(edges: readonly Edge[]): string[] {
  const levels = new Map<string, Graph>()
  for (const edge of edges) {
    const { folder, from, to } = levelOf(edge)
    if (from === to) continue
    const graph = levels.get(folder) ?? new Map<string, Map<string, Edge>>()
    levels.set(folder, graph)
    const targets = graph.get(from) ?? new Map<string, Edge>()
    graph.set(from, targets.has(to) ? targets : targets.set(to, edge))
  }
  return [...levels].flatMap(([folder, graph]) => {
    const cycle = cycleOf(graph)
    if (!cycle) return []
    const names = cycle.map(({ from }) => from)
    const imports = cycle.map(({ edge }) => `  ${edge.from} imports ${edge.to}`)
    return [[`${folder || 'src'}: ${[...names, names[0]].join(' → ')}`, ...imports].join('\n')]
  })
}

/**
 * Returns the folder in which the paths of an edge part, and the two names there. Modules of `src/` and the programs
 * outside of it share the folder `''`.
 */
function levelOf({ from, to }: Edge): { folder: string; from: string; to: string } {
  const [one, two] = [from, to].map((file) => file.replace(/^src\//, '').split('/')) as [
    string[],
    string[],
  ]
  const differs = one.findIndex((name, at) => name !== two[at])
  if (differs === -1) return { folder: '', from, to: from }
  const folder =
    differs === 0
      ? ''
      : from
          .split('/')
          .slice(0, -(one.length - differs))
          .join('/')
  return { folder, from: one[differs]!, to: two[differs]! }
}

/** Returns one circle; null where there is none. */
function cycleOf(graph: Graph): { from: string; edge: Edge }[] | null {
  const left = new Map([...graph].map(([from, targets]) => [from, new Map(targets)]))
  for (let isStill = false; !isStill;) {
    isStill = true
    for (const [from, targets] of left) {
      for (const to of targets.keys()) if (!left.has(to)) targets.delete(to)
      if (targets.size > 0) continue
      left.delete(from)
      isStill = false
    }
  }
  const path: { from: string; edge: Edge }[] = []
  let [at] = left.keys()
  while (at !== undefined) {
    const begin = path.findIndex(({ from }) => from === at)
    if (begin !== -1) return path.slice(begin)
    const [to, edge] = [...left.get(at)!][0]!
    path.push({ from: at, edge })
    at = to
  }
  return null
}
