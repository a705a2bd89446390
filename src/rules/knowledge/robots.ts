/**
 * What a site's robots.txt lets programs read: the group of our name, else that of all; the longest rule that
 * fits decides, and of two as long the one that allows.
 *
 * Spec: Assistant › Knowledge.
 */

/** How we name ourselves to sites. */
export const ROBOT_NAME = 'WaslaBot'

/** The groups that may count, ours first. */
const LOOKED_FOR = [ROBOT_NAME.toLowerCase(), '*']

/** More rules than these are not looked at. */
const MOST_RULES = 2_000

type Rule = { isAllowed: boolean; pattern: string }

/** @param path with its query, percent-encoded. */
export function mayRead(robots: string, path: string): boolean {
  const groups = groupsOf(robots)
  const rules = LOOKED_FOR.map((name) => groups.get(name)).find((found) => found) ?? []
  let best: Rule | null = null
  for (const rule of rules) {
    if (!fits(rule.pattern, path)) continue
    const isLonger = best === null || rule.pattern.length > best.pattern.length
    const isAsLong = best !== null && rule.pattern.length === best.pattern.length
    if (isLonger || (isAsLong && rule.isAllowed)) best = rule
  }
  return best?.isAllowed ?? true
}

/** The rules of all, and of us where we are named. A line is gone through once, however it is written. */
function groupsOf(robots: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  let names = new Set<string>()
  let isNaming = false
  let count = 0
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const said = line.split('#', 1)[0]!
    const colon = said.indexOf(':')
    if (colon === -1) continue
    const key = said.slice(0, colon).trim().toLowerCase()
    const value = said.slice(colon + 1).trim()
    if (key === 'user-agent') {
      if (!isNaming) names = new Set()
      isNaming = true
      const name = value.split('/', 1)[0]!.toLowerCase()
      if (!LOOKED_FOR.includes(name)) continue
      names.add(name)
      groups.set(name, groups.get(name) ?? [])
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      count += 1
      if (value === '' || count > MOST_RULES) continue
      for (const name of names)
        groups.get(name)!.push({ isAllowed: key === 'allow', pattern: value })
    }
  }
  return groups
}

/** `*` is any text, `$` at the end the end. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  const middle = isWhole && parts.length > 1 ? parts.slice(1, -1) : parts.slice(1)
  for (const part of middle) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (!isWhole) return true
  const last = parts.length > 1 ? parts.at(-1)! : ''
  return parts.length > 1
    ? path.length - last.length >= at && path.endsWith(last)
    : at === path.length
}
