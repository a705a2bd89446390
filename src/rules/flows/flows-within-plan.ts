/** A flow that is published and switched on. */
export type FlowOn = { id: string; firstPublishedAt: Date }

/**
 * The flows that a plan lets run when there are more than its number, as after a downgrade: those
 * published longest ago stay, the rest answer as switched off. Of two published at one moment the one
 * with the smaller id. Spec: Concepts › Plans; reading N3.
 */
export function flowsWithinPlan(flows: readonly FlowOn[], most: number): Set<string> {
  const longestFirst = flows.toSorted(
    (a, b) =>
      a.firstPublishedAt.getTime() - b.firstPublishedAt.getTime() ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
  return new Set(longestFirst.slice(0, Math.max(0, most)).map((flow) => flow.id))
}
