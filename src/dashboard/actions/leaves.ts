import { valueText } from '../../rules/hooks/path-expression.ts'
import { isContainer, readJson, type JsonValue } from '../../rules/text/json-text.ts'

type Leaf = { path: string; label: string; value: string }

const MAX_LEAVES = 40

/** Returns the values of a JSON response with their paths, in order. Names that no path can contain are left out. */
export function leavesOf(answer: string | null): Leaf[] {
  if (answer === null) return []
  const json = readJson(answer)
  if (!json.ok) return []
  const leaves: Leaf[] = []
  const walk = (value: JsonValue, path: string, label: string): void => {
    if (leaves.length >= MAX_LEAVES) return
    if (!isContainer(value)) {
      if (path !== '')
        leaves.push({ path, label, value: value === null ? 'null' : valueText(value) })
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
  walk(json.value, '', '')
  return leaves
}
