/**
 * Decides which paths a site's robots.txt allows. The group of this service's name applies, or else the group of all
 * robots. The longest matching rule decides, and between equally long ones the allowing rule.
 *
 * Spec: Assistant › Knowledge.
 */

/** The name by which the service identifies itself to sites. */
export const ROBOT_NAME = 'WaslaBot'

/** The limit of rules that are read. */
const MAX_RULES = 2_000

type Rule = { isAllowed: boolean; pattern: string }

/**
 * Returns whether a site's robots.txt allows this service to fetch a path.
 * @param path with its query, percent-encoded
 */
export function isAllowedByRobots(robots: string, path: string): boolean {
  const groups = groupsOf(robots)
  const rules = groups.get(ROBOT_NAME.toLowerCase()) ?? groups.get('*') ?? []
  const plain = canonical(path)
  let best: Rule | null = null
  for (const rule of rules) {
    if (!fits(rule.pattern, plain)) continue
    const isLonger = best === null || rule.pattern.length > best.pattern.length
    const isAsLong = best !== null && rule.pattern.length === best.pattern.length
    if (isLonger || (isAsLong && rule.isAllowed)) best = rule
  }
  return best?.isAllowed ?? true
}

/**
 * Returns the groups of this service's name and of all robots. Other groups are ignored, because a site may list any
 * number of them with lines of any length.
 */
function groupsOf(robots: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  const names = new Set<string>()
  let isNaming = false
  let count = 0
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const { key, value } = fieldOf(line)
    if (key === 'user-agent') {
      if (!isNaming) names.clear()
      isNaming = true
      const name = value.split('/', 1)[0]!.toLowerCase()
      if (!OURS.includes(name)) continue
      names.add(name)
      groups.set(name, groups.get(name) ?? [])
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      if (value === '' || names.size === 0 || count === MAX_RULES) continue
      count += 1
      const rule = { isAllowed: key === 'allow', pattern: canonical(value) }
      for (const name of names) groups.get(name)!.push(rule)
    }
  }
  return groups
}

const OURS: readonly string[] = [ROBOT_NAME.toLowerCase(), '*']

/** Reads a line without its comment. */
function fieldOf(line: string): { key: string; value: string } {
  const text = line.split('#', 1)[0]!
  const at = text.indexOf(':')
  if (at === -1) return { key: '', value: '' }
  return { key: text.slice(0, at).trim().toLowerCase(), value: text.slice(at + 1).trim() }
}

const ESCAPE = /%([0-9a-f]{2})/gi
const UNRESERVED = /[A-Za-z0-9._~-]/

/**
 * Returns a path or pattern in the spelling in which both are compared (RFC 9309, 2.2.2). Other characters than ASCII
 * are percent-encoded. Escapes have capital letters, and only reserved characters are escaped.
 */
function canonical(text: string): string {
  const ascii = text.toWellFormed().replace(/[^\u0021-\u007e]/gu, encodeURIComponent)
  return ascii.replace(ESCAPE, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : escape.toUpperCase()
  })
}

/** Returns whether a path matches a pattern, in which `*` is any text and a final `$` the end. */
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
