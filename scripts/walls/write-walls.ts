/** The allow-list as the list of ARCHITECTURE.md. */
import { BUSINESS, GROUND, PLAIN, WALLS, type Wall } from './allow-list.ts'
import { withBlock } from './with-block.ts'

/** The page with its list made anew. @throws when the page has lost its marks. */
export function withWalls(page: string): string {
  return withBlock(page, 'walls', list())
}

/** Rooms with the same wall share a line. */
function list(): string {
  const lines = new Map<string, string[]>()
  for (const [room, wall] of Object.entries(WALLS)) {
    const key = `${rooms(room, wall)}; ${packages(wall.packages)}`
    lines.set(key, [...(lines.get(key) ?? []), room])
  }
  const named = (group: readonly string[]) => group.map(quoted).join(', ')
  const ground = GROUND.filter((room) => !(PLAIN as readonly string[]).includes(room))
  return [
    `- _plain_: ${named(PLAIN)}`,
    `- _ground_: plain, ${named(ground)}`,
    `- _business_, of which a room may import those before it: ${named(BUSINESS)}`,
    '',
    ...[...lines].map(([may, of]) => `- ${named(of)}: ${may}`),
  ].join('\n')
}

/** The groups are named once, above, and stand in a line as one word. */
function rooms(room: string, { rooms: allowed, programs = [] }: Wall): string {
  const beside = programs.map((name) => `\`${name}/index.ts\``)
  if (allowed === 'any') return ['any room', ...beside].join(', ')
  const at = (BUSINESS as readonly string[]).indexOf(room)
  const below = at < 0 ? BUSINESS : BUSINESS.slice(0, at)
  const groups: [string, readonly string[]][] = [
    ['_ground_', GROUND],
    ['_plain_', PLAIN],
    ['_business_', below],
  ]
  let rest = [...allowed]
  const named: string[] = []
  for (const [name, group] of groups) {
    if (group.length === 0 || !group.every((one) => rest.includes(one))) continue
    named.push(name)
    rest = rest.filter((one) => !group.includes(one))
  }
  return [...named, ...rest.map(quoted), ...beside].join(', ') || 'no room'
}

function packages(allowed: Wall['packages']): string {
  if (allowed === 'any') return 'any package'
  return allowed.map(quoted).join(', ') || 'no package'
}

function quoted(word: string): string {
  return `\`${word}\``
}
