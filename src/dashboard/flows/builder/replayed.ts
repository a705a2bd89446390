import type { Box, Layout, Line } from '../draft/layout.ts'
import { createContext, useContext, type ReactNode } from 'react'

/** What a run did on the map; null where the flow itself is looked at. */
export type Replayed = {
  /** The look of a step's state, and what stands at it; null for a step that the run did not come to. */
  at(stepId: string): { tone: 'ok' | 'busy' | 'bad' | 'warn'; mark: ReactNode } | null
  wentBy(stepId: string | null, exit: string): 'yes' | 'maybe' | 'no'
}

export const ReplayedContext = createContext<Replayed | null>(null)

export const useReplayed = () => useContext(ReplayedContext)

/** Whether a run went along a line. */
export function wentBy({ from, exit }: Line, { wentBy: went }: Replayed): 'yes' | 'maybe' | 'no' {
  if (from.node === null) return went(null, exit)
  return from.node.kind === 'step' ? went(from.node.stepId, exit) : 'no'
}

/** What a run did at a box; null where no run is looked at. An end has no state: the way to it was gone, or not. */
export function useReplay(box: Box, { lines }: Layout) {
  const replayed = useReplayed()
  if (!replayed) return null
  const { node } = box
  if (node?.kind === 'step') return replayed.at(node.stepId) ?? UNTAKEN
  const line = lines.find(({ to }) => to === box)
  const went = line ? wentBy(line, replayed) : replayed.wentBy(null, 'start')
  return went === 'yes' ? { tone: 'ok' as const, mark: null } : UNTAKEN
}

const UNTAKEN = { tone: 'none', mark: null } as const
