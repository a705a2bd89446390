/** Limits by which the nodes of one database watch each other. */
import { SECOND_MS } from './units.ts'

/** Internal intervals that decide how soon other nodes notice a dead one (docs/decisions/0029). */
export const NODE_WATCH = {
  /** Intervals of checks: while another node holds claims, and while none does. */
  everyMs: 500,
  idleEveryMs: 2 * SECOND_MS,
  /** However often the node is woken. */
  minMs: 250,
  /** A node that lost its connection takes it again within this. */
  graceMs: 1_500,
  /**
   * Grace when the checking node was disconnected itself. Then the database was unavailable, and other nodes may
   * still wait for a connection or pause before the next one.
   */
  graceAfterAbsenceMs: 5_000,
} as const
