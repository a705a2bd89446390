/** How the nodes of one database watch each other. */
import { SECOND_MS } from './units.ts'

/** Ours: how soon a node that died is noticed by the others (docs/decisions/0029). */
export const NODE_WATCH = {
  /** While another node has something claimed, and while none has. */
  everyMs: 500,
  idleEveryMs: 2 * SECOND_MS,
  /** However often the node is woken. */
  leastMs: 250,
  /** A node that lost its connection takes it again within this. */
  graceMs: 1_500,
  /**
   * The same where the node that looks has been away itself: then the database was, and others may
   * still try a connection that nobody answers, and pause before the next.
   */
  graceAfterAbsenceMs: 5_000,
} as const
