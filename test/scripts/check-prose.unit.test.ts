/** The check of prose: which comments, titles, log messages, documents and commit subjects it refuses. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSubject } from '../../scripts/prose/commits.ts'
import { checkMarkdown } from '../../scripts/prose/markdown.ts'
import { checkMigration } from '../../scripts/prose/migrations.ts'
import { checkSettings } from '../../scripts/prose/settings.ts'
import { checkSource } from '../../scripts/prose/sources.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const messagesOf = (file: string, source: string) =>
  checkSource(file, source).map(({ message }) => message)

describe('Comments', () => {
  test.each([
    ['/** Of a run, its flow. */\ntype A = string', '"Of"'],
    ['/** What a run has. */\ntype A = string', '"What"'],
    ['/** Whether it may send. */\nconst a = 1', '"Whether"'],
    ['/** A run. Whose flow it is, is known. */\nconst a = 1', '"Whose"'],
    ['/** Returns a run; null: there is none. */\nexport function find() {}', '"null:"'],
    ['/** The runs of a flow. */\nexport function listRuns() {}', 'verb in the third person'],
    ['/** The runs of a flow. */\nexport const listRuns = (id: string) => id', 'verb in the'],
    ['/** Holds the runs. */\nexport interface Runs { a: 1 }', 'an article or a plural'],
    ['/** A run without an end */\nconst a = 1', 'no full stop'],
    [`/** A run${' that is due'.repeat(10)}. */\nconst a = 1`, 'has 32 words'],
    [`/**\n${' * A line.\n'.repeat(9)} */\nconst a = 1`, '9 lines'],
    ['// Nobody waits for the lock.\nconst a = 1', '"Nobody"'],
    ['/* The run is begun anew. */\nconst a = 1', '"anew"'],
  ])('refuses %j', (source, message) => {
    expect(messagesOf('src/core/planted.ts', source).join('\n')).toContain(message)
  })

  test.each([
    '/** Returns null when no run waits. @throws when the flow is off */\nexport function find() {}',
    '/** Runs of a flow, at most 128. */\nexport type Runs = string[]',
    '/** Null while the run waits. */\nconst a = 1',
    '/** Time when the lease ends, in ms. */\nconst a = 1',
    '/** The code `told of it` stays as stored. */\nconst a = 1',
    `/**\n * A claim.\n *\n * Isolation: ${'one row is locked at a time and\n * '.repeat(9)}.\n */\nconst a = 1`,
    '// oxlint-disable-next-line -- beside\nconst a = 1',
  ])('accepts %j', (source) => {
    expect(messagesOf('src/core/planted.ts', source)).toEqual([])
  })
})

describe('Titles of tests', () => {
  const titleOf = (title: string) => `test(${JSON.stringify(title)}, () => {})`

  test.each([
    ['of two runs the older one goes on', '"of"'],
    ['a longer one is refused', '"a longer one"'],
    ['refuses what was told', '"told"'],
    ['refuses '.repeat(13), '100 characters'],
  ])('refuses %j', (title, message) => {
    const found = messagesOf('test/planted.test.ts', titleOf(title)).join('\n')
    expect(found).toContain(message)
    expect(messagesOf('test/planted.ts', titleOf(title))).toEqual([])
  })

  test('finds them behind `each` as well', () => {
    const source = 'test.each([1])("that which is late %s", () => {})'
    expect(messagesOf('test/planted.test.ts', source)).toHaveLength(1)
  })

  test.each([
    ["test.each([['of two runs the older', 1], ['a newer run', 2]])('%s waits', () => {})", 1],
    ["test.each(['a run that was told', 'told'])('%s waits', () => {})", 1],
    ["test.each([['of two runs', 1]])('waits for %s', () => {})", 0],
  ])('checks the rows that begin a title: %s', (source, count) => {
    expect(messagesOf('test/planted.test.ts', source)).toHaveLength(count)
  })
})

describe('Log messages', () => {
  test.each([
    ['log.warn({ id }, `run ${id} failed`)', 'no variables'],
    ["log.warn('A run failed')", 'lower case'],
    ["deps.log.error({ err }, 'run failed.')", 'no full stop'],
    [`log.info('${'run '.repeat(21)}')`, '80 characters'],
    ["log.info('the operator was told')", '"told"'],
  ])('refuses %j', (source, message) => {
    expect(messagesOf('src/workers/planted.ts', source).join('\n')).toContain(message)
  })

  test('accepts a fixed message that begins with a name', () => {
    expect(messagesOf('src/planted.ts', "log.warn({ err }, 'PostgreSQL is too old')")).toEqual([])
  })
})

test('refuses dialect in the comments of settings, by their first line', () => {
  const text = 'PORT=\n\n# The port of\n# the desk.\n; A second port.\nname = told\n'
  expect(checkSettings('deploy/planted.ini', text)).toEqual([
    { file: 'deploy/planted.ini', line: 3, message: expect.stringContaining('"desk"') },
  ])
})

describe('Migrations', () => {
  const read = (text: string) =>
    checkMigration('migrations/0001_planted.sql', text).map(
      ({ line, message }) => `${line}: ${message}`,
    )

  test.each([
    ["comment on column run.due_at is 'When the run is due';", '1: begins with "When"'],
    ["\ncomment on table run is 'Runs that nobody''s claim has';", '2: "nobody"'],
    ["comment on function make_day(date) is 'Of a day';", '1: begins with "Of"'],
    ["comment on column run.wait is 'A wait. Null: none';", '1: "null:"'],
    ["select 'a';\n-- The runs that\n-- stand here.\nselect 'b';", '2: "stand"'],
  ])('refuses %j', (text, message) => {
    expect(read(text).join('\n')).toContain(message)
  })

  test('accepts phrases, codes alone and full sentences', () => {
    const texts = ["The time when the run''s lease ends", 'queued, running or ended', 'E.164']
    const columns = texts.map((text) => `comment on column run.a is '${text}';`)
    expect(read(['-- Runs, and their steps.', ...columns].join('\n'))).toEqual([])
  })
})

test('refuses dialect in the texts of a dictionary, and nowhere else', () => {
  const source = "const en = { a: 'You are told by e-mail', b: 'told' }"
  expect(messagesOf('src/i18n/facts/planted.ts', source)).toHaveLength(1)
  expect(messagesOf('src/rules/planted.ts', source)).toEqual([])
})

describe('Markdown', () => {
  const read = (file: string, text: string) =>
    checkMarkdown(PROJECT, file, text).map(({ line, message }) => `${line}: ${message}`)

  test.each([
    ['README.md', '# A\n\nOf the runs, one waits.', '3: a sentence begins with "Of the runs'],
    ['README.md', `A run${' that is due'.repeat(12)}.`, '1: a sentence has 38 words'],
    ['README.md', '| A | nobody waits |', '1: "nobody"'],
    ['README.md', 'See [there](docs/nothing.md).', '1: no such target: docs/nothing.md'],
    ['README.md', 'See [there](CONTRIBUTING.md#nothing).', '1: no such target'],
    ['CHANGELOG.md', '## Later', '1: "Later" is no release'],
    ['CHANGELOG.md', '- Added: one\n  and two', '1: a change is one line'],
    ['docs/decisions/0001-planted.md', '# Planted', '1: a decision begins with "# 0001 …"'],
  ])('refuses in %s %j', (file, text, message) => {
    expect(read(file, text).join('\n')).toContain(message)
  })

  test('leaves code and the texts of links that lead somewhere alone', () => {
    const text = '```\nnobody\n```\n\n[Tests](CONTRIBUTING.md#tests) name `told`.'
    expect(read('README.md', text)).toEqual([])
  })
})

describe('Commit subjects', () => {
  test.each([
    ['What is told', 'type(scope)'],
    ['fix(flows): end the run.', 'full stop'],
    ['fix(flows): ended the run', '"ended" is no imperative'],
    ['fix(flows): tell whoever waits', '"whoever"'],
    [`fix(flows): end ${'the run '.repeat(9)}`, '72 characters'],
  ])('refuses %j', (subject, message) => {
    expect(checkSubject(subject).join('\n')).toContain(message)
  })

  test.each(['fix(flows): end the run', 'feat(api)!: process events', 'Merge branch a'])(
    'accepts %j',
    (subject) => {
      expect(checkSubject(subject)).toEqual([])
    },
  )
})
