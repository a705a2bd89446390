/** A flow that is published and switched on. */
export type FlowOn = { id: string; firstPublishedAt: Date }

/**
 * Returns the ids of the flows that a plan lets run: up to its limit, those published longest ago. The others, as after
 * a downgrade, behave as switched off. The smaller id wins between two published at the same moment. Spec: Concepts ›
 * Plans; reading N3.
 */
export function flowsWithinPlan(flows: readonly FlowOn[], max: number): Set<string> {
  const longestFirst = flows.toSorted(
    (a, b) =>
      a.firstPublishedAt.getTime() - b.firstPublishedAt.getTime() ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
  return new Set(longestFirst.slice(0, Math.max(0, max)).map((flow) => flow.id))
}
