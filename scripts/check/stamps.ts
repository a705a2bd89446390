/**
 * Records which tools passed over which contents. A stamp is a hash of a tool's input files, of its command and of
 * the versions of all packages, so that a tool with an unchanged stamp need not run again.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The files on which every tool depends: versions of packages, and the definitions of the checks. */
const ALWAYS = /^((src\/dashboard\/)?package(-lock)?\.json|scripts\/check(\/.*)?\.ts|\.gitignore)$/

/** Returns the files that git tracks or would add, by their paths from `project`; null outside of a git repository. */
export function listFiles(project: string): string[] | null {
  return git(project, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
}

/** Returns the files that differ from the last commit and still exist; null outside of a git repository. */
export function listChanged(project: string): string[] | null {
  const changed = git(project, ['diff', '-z', '--name-only', '--diff-filter=d', 'HEAD'])
  const added = git(project, ['ls-files', '-z', '--others', '--exclude-standard'])
  return changed && added ? [...changed, ...added] : null
}

function git(project: string, given: string[]): string[] | null {
  try {
    const options = { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
    const listed = execFileSync('git', given, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
    return listed.split('\0').filter((file) => file !== '')
  } catch {
    return null
  }
}

/**
 * Returns a function that computes a tool's stamp from its input files. A deleted, uncommitted file counts as empty.
 */
export function createStamper(project: string, files: readonly string[]) {
  const hashes = new Map<string, string>()
  const hashOf = (file: string): string => {
    const known = hashes.get(file)
    if (known !== undefined) return known
    let hash = ''
    try {
      hash = createHash('sha256')
        .update(readFileSync(path.join(project, file)))
        .digest('hex')
    } catch {
      // A link to a folder, or a file that is gone.
    }
    hashes.set(file, hash)
    return hash
  }
  return (command: readonly string[], reads: RegExp): string => {
    const stamp = createHash('sha256').update(JSON.stringify([process.version, command]))
    for (const file of files) {
      if (reads.test(file) || ALWAYS.test(file)) stamp.update(`\0${file}\0${hashOf(file)}`)
    }
    return stamp.digest('hex')
  }
}

/** Reads the stamps of the last runs that passed, by the names of the tools. */
export function readStamps(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

/** Stores the stamps of the tools that passed, so that the next check skips tools with the same inputs. */
export function writeStamps(file: string, stamps: Readonly<Record<string, string>>): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(stamps))
}
