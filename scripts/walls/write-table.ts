/** The allow-list as the table of ARCHITECTURE.md. */
import { GROUND, PLAIN, WALLS, type Wall } from './allow-list.ts'

const BEGIN = /<!-- walls:[^\n]*-->\n/
const END = '<!-- end of walls -->'

/** The page with its table made anew. @throws when the page has lost its marks. */
export function withWalls(page: string): string {
  const begin = BEGIN.exec(page)
  const end = page.indexOf(END)
  if (!begin || end < begin.index)
    throw new Error('ARCHITECTURE.md has lost the marks of its walls.')
  return `${page.slice(0, begin.index + begin[0].length)}\n${table()}\n${page.slice(end)}`
}

/** Rooms with the same wall share a row. The columns are as wide as the formatter makes them. */
function table(): string {
  const rows = new Map<string, string[]>()
  for (const [room, wall] of Object.entries(WALLS)) {
    const key = JSON.stringify([words(wall.rooms), words(wall.packages)])
    rows.set(key, [...(rows.get(key) ?? []), room])
  }
  const lines = [
    ['Room', 'Rooms that it may import', 'Packages'],
    ...[...rows].map(([key, rooms]) => [
      rooms.map(quoted).join(', '),
      ...(JSON.parse(key) as string[]),
    ]),
  ]
  const widths = [0, 1, 2].map((i) => Math.max(...lines.map((cells) => cells[i]!.length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const [head, ...body] = lines
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const groups = `_plain_: ${PLAIN.map(quoted).join(', ')}. _ground_: plain, ${GROUND.filter(
    (room) => !(PLAIN as readonly string[]).includes(room),
  )
    .map(quoted)
    .join(', ')}.`
  return `${groups}\n\n${[line(head!), rule, ...body.map(line)].join('\n')}\n`
}

/** The two groups are named once, above the table, and stand in it as one word. */
function words(list: Wall['rooms']): string {
  if (list === 'any') return 'any'
  const has = (group: readonly string[]) => group.every((room) => list.includes(room))
  const [name, group] = has(GROUND) ? ['ground', GROUND] : has(PLAIN) ? ['plain', PLAIN] : ['', []]
  const rest = list.filter((room) => !(group as readonly string[]).includes(room)).map(quoted)
  return [...(name ? [`_${name}_`] : []), ...rest].join(', ') || 'none'
}

function quoted(word: string): string {
  return `\`${word}\``
}
