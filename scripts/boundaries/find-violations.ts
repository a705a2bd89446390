/** Checks the imports of the sources against the allow-list. */
import { PROGRAMS, BOUNDARIES } from './allow-list.ts'
import { targetOf, type Source } from './list-sources.ts'
import { readSource, type Import } from './read-source.ts'

/**
 * The otherwise forbidden calls that a file may contain. Ports read the machine's time, and back-offs use random numbers
 * on which no result depends. A module loader is needed where the path is known only at run time.
 */
const EXEMPTIONS: Record<string, readonly string[]> = {
  'src/core/clock.ts': ['Date.now'],
  'src/dashboard/words/now.ts': ['Date.now'],
  'src/infra/database/listen.ts': ['Math.random'],
  'src/infra/database/transaction.ts': ['Math.random'],
  'src/infra/database/migrate.ts': ['Math.random'],
  'src/http/raw-response.ts': ['Math.random'],
  'src/http/delayed-rejections.ts': ['Math.random'],
  'src/workers/worker-loop.ts': ['Math.random'],
  'src/infra/database/embedded/binaries.ts': ['createRequire', 'require'],
}

/** Data that is published outside of the service, which the dashboard shows and offers for download. */
const PUBLISHED = ['openapi/webhooks.json', 'openapi/webhooks-3.0.json', 'docs/test-vectors.json']

/** Returns a line for each violation: `src/rules/x.ts:3 imports database: rules may import limits, vocabulary`. */
export function findViolations(sources: Source[]): string[] {
  return sources.flatMap((source) => violationsOf(source))
}

function violationsOf({ file, text }: Source): string[] {
  const module = moduleOf(file)
  const boundary = BOUNDARIES[module]
  if (!Object.hasOwn(BOUNDARIES, module) || !boundary) {
    return [`${file}: the module ${module} is not named in scripts/boundaries/allow-list.ts`]
  }
  const { imports, forbidden } = readSource(file, text)
  return [
    ...imports.flatMap(({ line, ...found }) => {
      const reason = check(file, module, found)
      return reason === null ? [] : [`${file}:${line} ${reason}`]
    }),
    ...forbidden
      .filter(({ what }) => !EXEMPTIONS[file]?.includes(what))
      .map(({ what, line }) => `${file}:${line} uses ${what}`),
  ]
}

function check(
  file: string,
  module: string,
  { specifier }: Pick<Import, 'specifier'>,
): string | null {
  if (specifier === null) return 'imports what is known only at run time'
  const { modules, packages, programs = [] } = BOUNDARIES[module]!
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier)
    if (packages === 'any' || packages.includes(name)) return null
    return `imports ${name}: ${module} may import ${packages.join(', ') || 'no package'}`
  }
  const target = targetOf(file, specifier)
  if (module === 'dashboard' && PUBLISHED.includes(target)) return null
  const other = moduleOf(target)
  if (other === module) return null
  const program = PROGRAMS.find((name) => name === other)
  if (program) {
    if (!programs.includes(program)) return `imports ${program}, which is not of the service`
    if (target === `${program}/index.ts`) return null
    return `imports ${target}: ${program} is entered by its index.ts`
  }
  if (!target.startsWith('src/')) return `imports ${target}, which is not of the service`
  if (modules === 'any' || modules.includes(other)) return null
  return `imports ${other}: ${module} may import ${modules.join(', ') || 'no module'}`
}

/**
 * Returns the module of a file: `rules` for `src/rules/phone.ts`, `config` for `src/app/config.ts`. Folders that
 * group modules are left out. A file outside of `src/` belongs to its top folder.
 */
export function moduleOf(file: string): string {
  const [top = '', first = ''] = file.replace(GROUP, '').split('/')
  return top === 'src' ? first.replace(/\.tsx?$/, '') : top
}

/** Folders of `src/` whose own folders and files are modules. */
const GROUP = /(?<=^src\/)(app|core|infra|modules)\//

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
