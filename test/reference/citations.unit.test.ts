/** Citations of the reference and of the decisions exist, and ARCHITECTURE.md lists every module. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOUNDARIES, PROGRAMS } from '../../scripts/boundaries/allow-list.ts'
import { readPages } from './pages.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const pages = readPages()

/** `**H12**` begins reading H12. */
const readings = [...pages.values()].flatMap(({ text }) =>
  [...text.matchAll(/^- \*\*([A-Z]\d+)\*\* /gm)].map(([, id]) => id!),
)

const CITING = 'src simulators demonstration scripts bench migrations examples test'.split(' ')
const files = execFileSync('git', ['ls-files', ...CITING], { cwd: PROJECT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(m?ts|mjs|sql)$/.test(file) && !file.startsWith('test/reference/'))
  // A deleted file stays in the index until the next commit.
  .filter((file) => existsSync(path.join(PROJECT, file)))
  .map((file) => ({ file, text: readFileSync(path.join(PROJECT, file), 'utf8') }))

/** The citations of a comment: up to its full stop, over the ends of lines. */
function citationsIn(text: string): string[] {
  const comment =
    /Spec: (?<cited>(?:[^\n]|\n\s*(?:\*(?!\/)|\/\/|--))+?)(?:\.(?=\s)|\s*\*\/|\n(?!\s*(?:\*(?!\/)|\/\/|--)))/g
  return [...text.matchAll(comment)].flatMap(({ groups }) =>
    groups!
      .cited!.replaceAll(/\s*\n\s*(?:\*|\/\/|--)\s*/g, ' ')
      .split(';')
      .map((part) => part.trim()),
  )
}

function leadsNowhere(citation: string): boolean {
  const cited = /^readings? (?<ids>[A-Z]\d+(?:, [A-Z]\d+)*)$/.exec(citation)?.groups?.ids
  if (cited !== undefined) return cited.split(', ').some((id) => !readings.includes(id))
  const [page = '', section, ...more] = citation.split(' › ')
  return more.length > 0 || section === undefined || !pages.get(page)?.sections.has(section)
}

describe('Citations', () => {
  test('each one names a section or a reading of the reference', () => {
    const cited = files.flatMap(({ file, text }) =>
      citationsIn(text).map((citation) => `${file}: ${citation}`),
    )
    expect(cited.length).toBeGreaterThan(150)
    expect(cited.filter((line) => leadsNowhere(line.slice(line.indexOf(': ') + 2)))).toEqual([])
  })

  test('finds a planted citation that leads nowhere', () => {
    const planted =
      '/**\n * Why. Spec: Hooks › Order of checks; Hooks ›\n * Nothing; reading H1, X9.\n */'
    expect(citationsIn(planted).filter(leadsNowhere)).toEqual(['Hooks › Nothing', 'reading H1, X9'])
  })

  test('each section of the reference is cited by the source, so that its code can be found', () => {
    const cited = new Set(
      files.filter(({ file }) => file.startsWith('src/')).flatMap(({ text }) => citationsIn(text)),
    )
    const ofPages = [...pages.values()].flatMap(({ title, sections }) =>
      // The first of these is the index, the others are tables, which separate tests compare with the code.
      ['Reference', 'API', 'Limits'].includes(title)
        ? []
        : [...sections.keys()].map((section) => `${title} › ${section}`),
    )
    // Conventions have no single place, and the acts of merchants have no code.
    const OF_NO_FILE = [
      'Concepts › Conventions',
      'Hooks › Retrying',
      'Versioning › REST API',
      'Versioning › Announcements',
    ]
    const unknown = ofPages.filter((one) => !cited.has(one) && !OF_NO_FILE.includes(one))
    expect(unknown).toEqual([])
  })

  test('a decision that is cited has its page', () => {
    const decisions = readdirSync(path.join(PROJECT, 'docs/decisions'))
    const missing = files.flatMap(({ file, text }) =>
      [...text.matchAll(/docs\/decisions(?:\/(\d{4}))?/g)]
        .filter(([, id]) => !id || !decisions.some((page) => page.startsWith(id)))
        .map(([cited]) => `${file}: ${cited}`),
    )
    expect(missing).toEqual([])
  })

  test('no reading is numbered twice', () => {
    expect(readings.toSorted()).toEqual([...new Set(readings)].toSorted())
  })
})

describe('The pages of the reference', () => {
  test('are all in its index', () => {
    const index = pages.get('Reference')!.text
    const listed = [...index.matchAll(/^\| \[([^\]]+)\]\(/gm)].map(([, title]) => title)
    expect(listed.toSorted()).toEqual(
      [...pages.keys()].filter((title) => title !== 'Reference').toSorted(),
    )
  })

  test('link to existing sections', () => {
    const slug = (title: string) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-')
    const byFile = new Map(
      readdirSync(path.join(PROJECT, 'docs/reference')).map((file) => {
        const text = readFileSync(path.join(PROJECT, 'docs/reference', file), 'utf8')
        return [file, [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => slug(title!))] as const
      }),
    )
    const broken = [...pages.values()].flatMap(({ title, text }) =>
      [...text.matchAll(/\]\(([a-z]+\.md)?(?:#([\w-]+))?\)/g)]
        .filter(([, file, section]) => {
          const own =
            file ?? [...byFile.keys()].find((name) => name === `${title.toLowerCase()}.md`)!
          return !byFile.has(own) || (section && !byFile.get(own)!.includes(section))
        })
        .map(([link]) => `${title}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

test('every module is listed in ARCHITECTURE.md', () => {
  const architecture = readFileSync(path.join(PROJECT, 'ARCHITECTURE.md'), 'utf8')
  const table = /## Modules of `src`\n(.*?)\n## /s.exec(architecture)![1]!
  const listed = new Set([...table.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name))
  const missing = Object.keys(BOUNDARIES).filter(
    (name) => !listed.has(name) && !(PROGRAMS as readonly string[]).includes(name),
  )
  expect(missing).toEqual([])
})
