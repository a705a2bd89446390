/** An item of one day with its column; items at the same time are side by side. Times are minutes from midnight. */
export type Placed<Thing> = {
  thing: Thing
  from: number
  to: number
  column: number
  columns: number
}

/** Places the items of one day into columns, so that no two overlap. */
export function overlapColumns<Thing>(
  things: readonly { thing: Thing; from: number; to: number }[],
): Placed<Thing>[] {
  const placed: Placed<Thing>[] = []
  let group: Placed<Thing>[] = []
  let groupEnd = -Infinity
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1))
    for (const one of group) placed.push({ ...one, columns })
    group = []
  }
  for (const one of things.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= groupEnd) close()
    const taken = new Set(group.filter(({ to }) => to > one.from).map(({ column }) => column))
    let column = 0
    while (taken.has(column)) column += 1
    group.push({ ...one, column, columns: 1 })
    groupEnd = Math.max(group.length === 1 ? -Infinity : groupEnd, one.to)
  }
  close()
  return placed
}
