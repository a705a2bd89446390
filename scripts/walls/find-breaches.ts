/** Judges the sources by the allow-list. */
import { PROGRAMS, WALLS } from './allow-list.ts'
import { targetOf, type Source } from './list-sources.ts'
import { readSource, type Import } from './read-source.ts'

/**
 * Who may ask the machine for the time or for chance: the ports themselves, and back-offs that nobody's
 * result depends on. A loader of modules is needed where the path is known only at run time.
 */
const MAY: Record<string, readonly string[]> = {
  'src/clock.ts': ['Date.now'],
  'src/dashboard/words/now.ts': ['Date.now'],
  'src/database/listen.ts': ['Math.random'],
  'src/database/transaction.ts': ['Math.random'],
  'src/database/migrate.ts': ['Math.random'],
  'src/http/end-request.ts': ['Math.random'],
  'src/http/late-refusals.ts': ['Math.random'],
  'src/daemon/loop.ts': ['Math.random'],
  'src/database/embedded/binaries.ts': ['createRequire', 'require'],
}

/** Data that is published beside the service, which the dashboard shows and gives to save. */
const PUBLISHED = ['openapi/webhooks.json', 'openapi/webhooks-3.0.json', 'docs/test-vectors.json']

/** A line for each breach: `src/rules/x.ts:3 imports database: rules may import limits, vocabulary`. */
export function findBreaches(sources: Source[]): string[] {
  return sources.flatMap((source) => breachesOf(source))
}

function breachesOf({ file, text }: Source): string[] {
  const room = roomOf(file)
  const wall = WALLS[room]
  if (!Object.hasOwn(WALLS, room) || !wall) {
    return [`${file}: the room ${room} is not named in scripts/walls/allow-list.ts`]
  }
  const { imports, forbidden } = readSource(file, text)
  return [
    ...imports.flatMap(({ line, ...found }) => {
      const reason = judge(file, room, found)
      return reason === null ? [] : [`${file}:${line} ${reason}`]
    }),
    ...forbidden
      .filter(({ what }) => !MAY[file]?.includes(what))
      .map(({ what, line }) => `${file}:${line} uses ${what}`),
  ]
}

function judge(
  file: string,
  room: string,
  { specifier }: Pick<Import, 'specifier'>,
): string | null {
  if (specifier === null) return 'imports what is known only at run time'
  const { rooms, packages, programs = [] } = WALLS[room]!
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier)
    if (packages === 'any' || packages.includes(name)) return null
    return `imports ${name}: ${room} may import ${packages.join(', ') || 'no package'}`
  }
  const target = targetOf(file, specifier)
  if (room === 'dashboard' && PUBLISHED.includes(target)) return null
  const other = roomOf(target)
  if (other === room) return null
  const program = PROGRAMS.find((name) => name === other)
  if (program) {
    if (!programs.includes(program)) return `imports ${program}, which is not of the service`
    if (target === `${program}/index.ts`) return null
    return `imports ${target}: ${program} is entered by its index.ts`
  }
  if (!target.startsWith('src/')) return `imports ${target}, which is not of the service`
  if (rooms === 'any' || rooms.includes(other)) return null
  return `imports ${other}: ${room} may import ${rooms.join(', ') || 'no room'}`
}

/**
 * Returns the room of a file: `src/rules/phone.ts` is of `rules`, `src/config.ts` of `config`. A file beside `src/`
 * is of its top folder.
 */
export function roomOf(file: string): string {
  const [top = '', first = ''] = file.split('/')
  return top === 'src' ? first.replace(/\.tsx?$/, '') : top
}

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
