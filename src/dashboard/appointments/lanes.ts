/** Things of one day side by side where they are at the same time. */
export type Placed<Thing> = { thing: Thing; from: number; to: number; lane: number; lanes: number }

export function overlapColumns<Thing>(
  things: readonly { thing: Thing; from: number; to: number }[],
): Placed<Thing>[] {
  const placed: Placed<Thing>[] = []
  let group: Placed<Thing>[] = []
  let groupEnd = -Infinity
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1))
    for (const one of group) placed.push({ ...one, lanes })
    group = []
  }
  for (const one of things.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= groupEnd) close()
    const taken = new Set(group.filter(({ to }) => to > one.from).map(({ lane }) => lane))
    let lane = 0
    while (taken.has(lane)) lane += 1
    group.push({ ...one, lane, lanes: 1 })
    groupEnd = Math.max(group.length === 1 ? -Infinity : groupEnd, one.to)
  }
  close()
  return placed
}
