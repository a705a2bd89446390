/** The graph of the modules as a Mermaid picture: groups of modules, and which group imports which. */
import { moduleOf } from './find-violations.ts'
import type { Edge } from './list-sources.ts'

/** Modules that share one box. The rules between modules hold between boxes, too. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'words and numbers': ['vocabulary', 'words', 'limits', 'facts', 'service-error'],
  machine: ['clock', 'ids', 'cidr', 'log', 'metrics', 'mail'],
  'start of a process': [
    'settings',
    'setting-reader',
    'listen-errors',
    'stop-signals',
    'worker-priority',
  ],
  database: ['database', 'context'],
  rules: ['rules', 'redaction'],
  shapes: ['schemas', 'flow-kinds', 'contract', 'i18n'],
  egress: ['egress'],
  accounts: ['secrets', 'live-updates', 'events', 'accounts', 'notices'],
  webhooks: ['endpoints', 'deliveries'],
  messages: ['files', 'channels', 'messaging'],
  appointments: ['appointments', 'leads'],
  calls: ['connections'],
  models: ['models', 'knowledge'],
  flows: ['flows'],
  hooks: ['hooks', 'overview', 'inbox'],
  assistant: ['assistant'],
  contacts: ['identity', 'contacts', 'broadcasts', 'visitors'],
  inbound: ['inbound'],
  http: ['http', 'widget', 'dashboard-build'],
  workers: ['workers'],
  'create-service': [
    'config',
    'service-types',
    'wiring',
    'create-service',
    'demonstration',
    'start',
    'banner',
    'main',
  ],
  dashboard: ['dashboard'],
  simulators: ['simulators'],
}

/** Returns which group imports which, from the imports of files. @throws when a module is in no group */
export function edgesOfGroups(edges: readonly Edge[]): Edge[] {
  return edges.map(({ from, to }) => ({ from: groupOf(from), to: groupOf(to) }))
}

function groupOf(file: string): string {
  const module = moduleOf(file)
  const group = Object.keys(GROUPS).find((name) => GROUPS[name]!.includes(module))
  if (!group)
    throw new Error(`The module ${module} is in no group of scripts/boundaries/draw-graph.ts.`)
  return group
}

/** Returns the module graph as Mermaid text, without the arrows that follow from others. */
export function drawGraph(edges: readonly Edge[]): string {
  const graph = new Map(Object.keys(GROUPS).map((group) => [group, new Set<string>()]))
  for (const { from, to } of edges) if (from !== to) graph.get(from)!.add(to)
  const idOf = (group: string) => group.replaceAll(' ', '_')
  const boxes = Object.entries(GROUPS).map(([group, modules]) => {
    const label = modules.length === 1 ? modules[0] : `<b>${group}</b><br/>${modules.join(', ')}`
    return `  ${idOf(group)}["${label}"]`
  })
  const arrows = [...graph].flatMap(([group, targets]) => {
    const needed = [...targets].filter((to) => !isReachedOtherwise(graph, group, to)).toSorted()
    return needed.length === 0 ? [] : [`  ${idOf(group)} --> ${needed.map(idOf).join(' & ')}`]
  })
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n')
}

/** Returns whether `from` also reaches `to` through another group, so that the direct arrow is redundant. */
function isReachedOtherwise(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): boolean {
  const seen = new Set<string>()
  const left = [...graph.get(from)!].filter((group) => group !== to)
  for (let group = left.pop(); group !== undefined; group = left.pop()) {
    if (group === to) return true
    if (seen.has(group)) continue
    seen.add(group)
    left.push(...graph.get(group)!)
  }
  return false
}
