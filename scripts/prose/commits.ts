/** Checks the subjects of commits that are not on `origin/main`, or of the latest ones where there is no such branch. */
import { execFileSync } from 'node:child_process'
import { findBannedWords } from '../lint/banned-words.mjs'

const SUBJECT =
  /^(?:feat|fix|perf|refactor|test|docs|build|ci|chore|style|revert)(?:\([a-z0-9-]+\))?!?: (?<text>[a-z].+)$/
const BY_GIT = /^(?:Merge|Revert) /
const LENGTH = 72
/** The number of commits that are checked where there is no `origin/main`. */
const LATEST = 100
const NO_IMPERATIVE = /^[a-z]+(?:ed|ing|[^s]s)$/
const IMPERATIVES = new Set(['need', 'feed', 'embed', 'bring', 'string', 'focus', 'bias', 'alias'])

/** Returns what is wrong with the subject of a commit. */
export function checkSubject(subject: string): string[] {
  if (BY_GIT.test(subject)) return []
  const text = SUBJECT.exec(subject)?.groups?.['text']
  if (text === undefined) return ['the form is "type(scope): imperative"']
  const found = findBannedWords(text).map(({ message }) => message)
  const [first = ''] = text.split(' ')
  if (subject.length > LENGTH) found.push(`at most ${LENGTH} characters`)
  if (text.endsWith('.')) found.push('no full stop')
  if (NO_IMPERATIVE.test(first) && !IMPERATIVES.has(first))
    found.push(`"${first}" is no imperative`)
  return found
}

/**
 * Returns the failures of all commits since `origin/main`, without merges. Where git knows no such branch, the latest
 * commits are checked; none outside a repository.
 */
export function checkCommits(root: string): string[] {
  const git = (...given: string[]) =>
    execFileSync('git', given, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    })
  const succeeds = (...given: string[]) => {
    try {
      git(...given)
      return true
    } catch {
      return false
    }
  }
  if (!succeeds('rev-parse', '--verify', 'HEAD')) return []
  const isCloned = succeeds('rev-parse', '--verify', 'origin/main')
  const range = isCloned ? ['origin/main..HEAD'] : [`--max-count=${LATEST}`, 'HEAD']
  const lines = git('log', '--no-merges', '--format=%h %s', ...range).split('\n')
  return lines.flatMap((line) => {
    const [, hash, subject] = /^(\S+) (.*)$/.exec(line) ?? []
    if (subject === undefined) return []
    return checkSubject(subject).map((message) => `commit ${hash}: ${message}: ${subject}`)
  })
}
