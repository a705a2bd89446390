import type { Box, Layout, Line } from '../draft/layout.ts'
import { createContext, useContext, type ReactNode } from 'react'

/** The course of a run on the map. The context is null where the map shows the flow itself. */
export type Replayed = {
  /** The tone of a step's state and the mark at the step; null for a step that the run did not reach. */
  at(stepId: string): { tone: 'ok' | 'busy' | 'bad' | 'warn'; mark: ReactNode } | null
  wentBy(stepId: string | null, exit: string): 'yes' | 'maybe' | 'no'
}

/** The run whose course the map shows; null where it shows only the flow. */
export const ReplayedContext = createContext<Replayed | null>(null)

/** Returns the course of the run that the map shows, or null where it shows only the flow. */
export const useReplayed = () => useContext(ReplayedContext)

/** Returns whether a run took a line of the map; `maybe` if its history does not tell. */
export function wentBy({ from, exit }: Line, { wentBy: went }: Replayed): 'yes' | 'maybe' | 'no' {
  if (from.node === null) return went(null, exit)
  return from.node.kind === 'step' ? went(from.node.stepId, exit) : 'no'
}

/**
 * Returns the state of a run at a box, or null where the map shows no run. An end has no state: its line was taken or
 * not.
 */
export function useRunStateAt(box: Box, { lines }: Layout) {
  const replayed = useReplayed()
  if (!replayed) return null
  const { node } = box
  if (node?.kind === 'step') return replayed.at(node.stepId) ?? UNTAKEN
  const line = lines.find(({ to }) => to === box)
  const went = line ? wentBy(line, replayed) : replayed.wentBy(null, 'start')
  return went === 'yes' ? { tone: 'ok' as const, mark: null } : UNTAKEN
}

const UNTAKEN = { tone: 'none', mark: null } as const
