type Leaf = { path: string; label: string; value: string }

const MOST_LEAVES = 40

/** The values of a JSON answer by their paths, in its order. A name that no path can have is left out. */
export function leavesOf(answer: string | null): Leaf[] {
  if (answer === null) return []
  let json: unknown
  try {
    json = JSON.parse(answer)
  } catch {
    return []
  }
  const leaves: Leaf[] = []
  const walk = (value: unknown, path: string, label: string): void => {
    if (leaves.length >= MOST_LEAVES) return
    if (typeof value !== 'object' || value === null) {
      if (path !== '') leaves.push({ path, label, value: String(value) })
      return
    }
    if (Array.isArray(value)) {
      value.forEach((item, at) => walk(item, `${path}[${at}]`, label))
      return
    }
    for (const [name, item] of Object.entries(value)) {
      if (name === '' || /[.[\]\s]/.test(name)) continue
      walk(item, path === '' ? name : `${path}.${name}`, name)
    }
  }
  walk(json, '', '')
  return leaves
}
